import type { ImagePart } from '../../core/conversation/message.ts';
import { imageSizeOf } from './image-size.ts';

interface ImageFields {
  readonly mediaType: string | null;
  readonly url: string | null;
  /** The data, where the wire holds it: the pixel size is read from it. Null otherwise. */
  readonly base64: string | null;
  /** As the wire says it; anything but `low` and `high` means `auto`. */
  readonly detail?: unknown;
}

/** Reads an image from a wire value. */
export function imagePart(raw: unknown, { mediaType, url, base64, detail }: ImageFields): ImagePart {
  const size = base64 === null ? null : imageSizeOf(base64);
  return {
    type: 'image',
    mediaType,
    width: size?.width ?? null,
    height: size?.height ?? null,
    url,
    detail: detail === 'low' || detail === 'high' ? detail : 'auto',
    raw,
  };
}
