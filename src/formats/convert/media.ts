import type { LoseHere, MediaData, PlainMedia } from './plain.ts';

/** Writes a text in place of an image or a file that the target cannot hold. */
export function mediaText({ kind, mediaType, name }: Omit<PlainMedia, 'type' | 'data'>): string {
  return `[${[kind, name, mediaType].filter((word) => word !== null).join(' ')} left out]`;
}

/** Does the same, and notes the reason. */
export function textInstead(part: PlainMedia, why: string, lose: LoseHere): string {
  lose(`${why}; a line of text stands for the ${part.kind}`);
  return mediaText(part);
}

/** Writes the content of a text file as text, for formats without text files. */
export function inlineText({ name }: PlainMedia, text: string, lose: LoseHere): string {
  lose(`the file of text${name === null ? '' : ` \`${name}\``} stands in the message as plain text`);
  return text;
}

export function dataUrl(mediaType: string | null, base64: string): string {
  return `data:${mediaType ?? 'application/octet-stream'};base64,${base64}`;
}

/** A sound as both OpenAI formats take it; null for other media, and for sounds they do not take. */
export function audioInput({ data, mediaType }: PlainMedia): Readonly<Record<string, unknown>> | null {
  const format = /^audio\/(wav|mp3|mpeg)$/.exec(mediaType ?? '')?.[1];
  if (format === undefined || data.type !== 'base64') return null;
  return { type: 'input_audio', input_audio: { data: data.base64, format: format === 'wav' ? 'wav' : 'mp3' } };
}

/** The data of an `input_audio`, in either OpenAI format. */
export function audioData(audio: Readonly<Record<string, unknown>>): MediaData | null {
  return typeof audio['data'] === 'string' ? { type: 'base64', base64: audio['data'] } : null;
}
