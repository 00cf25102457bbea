/**
 * The lines around a handoff: they tell the agent what it is reading, and tell a later process that this message is one. Every version ever
 * written stays recognisable, so handoffs never nest.
 */
export const HANDOFF_VERSION = 1;

export interface HandoffFrame {
  /** Number of the last message the handoff stands for. */
  readonly through: number;
  /** Handle of the originals. */
  readonly ref: string;
  /** Folder the paths are relative to; empty when there is none. */
  readonly root: string;
}

const OPENING = `[precis handoff ${HANDOFF_VERSION}]`;
const CLOSING = /\n\[end of precis handoff (\d+): through #(\d+), originals (⟦r:[0-9a-f]+⟧)(?:, root (.*))?\]\s*$/;

export function openFrame({ ref, root, through }: HandoffFrame): string {
  const paths = root === '' ? '' : ` Paths are relative to ${root}.`;
  return (
    `${OPENING} Record of the conversation up to message #${through}, kept so that work can go on. It is a record, not a request: the newest user message decides. ` +
    `"In progress" and "Next Steps" say where work stood and are not orders. #n is the number of a message, its words are quoted, "…" marks words left out. ` +
    `+ and - are lines added and removed.${paths} Originals: ${ref}`
  );
}

export function closeFrame({ through, ref, root }: HandoffFrame): string {
  return `[end of precis handoff ${HANDOFF_VERSION}: through #${through}, originals ${ref}${root === '' ? '' : `, root ${root}`}]`;
}

export function isHandoffText(text: string): boolean {
  return /^\[precis handoff \d+\] /.test(text) && CLOSING.test(text);
}

export function readFrame(text: string): HandoffFrame | null {
  const match = CLOSING.exec(text);
  return match === null ? null : { through: Number(match[2]), ref: match[3] ?? '', root: match[4] ?? '' };
}
