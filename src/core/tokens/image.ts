/**
 * Tokens of an image, by its size and never by the length of its base64. Takes the larger of the two public formulas
 * (tiles of 512 pixels, and area / 750), so that the count holds whichever provider reads it.
 */
export function imageTokens(width: number | null, height: number | null, detail: 'low' | 'high' | 'auto'): number {
  if (detail === 'low') return LOW_DETAIL_TOKENS;
  // A header that lies about its size must not make the image free.
  if (width === null || height === null || !(width > 0) || !(height > 0)) return UNKNOWN_SIZE_TOKENS;
  return Math.max(tileTokens(width, height), areaTokens(width, height));
}

const LOW_DETAIL_TOKENS = 85;
/** The cost of an image whose size cannot be read: a full-screen capture at the size that providers scale to. */
const UNKNOWN_SIZE_TOKENS = 1_600;
const TILE_TOKENS = 170;

function tileTokens(width: number, height: number): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const short = Math.min(1, 768 / (Math.min(width, height) * fit));
  const tiles = Math.ceil((width * fit * short) / 512) * Math.ceil((height * fit * short) / 512);
  return LOW_DETAIL_TOKENS + tiles * TILE_TOKENS;
}

function areaTokens(width: number, height: number): number {
  const fit = Math.min(1, 1568 / Math.max(width, height));
  return Math.min(UNKNOWN_SIZE_TOKENS, Math.ceil((width * fit * height * fit) / 750));
}
