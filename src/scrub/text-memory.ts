/** Texts that need no second look: sessions repeat themselves, and each text is scanned more than once. */
export interface TextMemory {
  has(text: string): boolean;
  add(text: string): void;
  forget(): void;
}

const MOST_REMEMBERED = 200_000;

export function createTextMemory(): TextMemory {
  const texts = new Set<string>();
  return {
    has: (text) => texts.has(text),
    add: (text) => void (texts.size < MOST_REMEMBERED && texts.add(text)),
    forget: () => texts.clear(),
  };
}
