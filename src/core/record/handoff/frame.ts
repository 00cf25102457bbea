/**
 * The first and last line of a handoff: they tell the agent what it is reading, and a later process that this message is a handoff. Every version
 * ever written stays recognisable, so handoffs never nest.
 */
export const HANDOFF_VERSION = 1;

export interface HandoffFrame {
  /** Number of the last message the handoff stands for. */
  readonly through: number;
  /** Ref of the originals. */
  readonly ref: string;
  /** Refs of the originals of earlier handoffs of which only the text is left; newest first. */
  readonly earlier: readonly string[];
  /** Number of the newest user message, if it follows the handoff in the view but was said before the handoff's end; null otherwise. */
  readonly asked: number | null;
  /** Folder the paths are relative to; empty when there is none. */
  readonly root: string;
  /** True in a small view, where the first line says only what a reader could not guess. */
  readonly brief?: boolean;
}

const OPENING = `[precis handoff ${HANDOFF_VERSION}]`;
const CLOSING =
  /\n\[end of precis handoff (\d+): through #(\d+), originals (⟦r:[0-9a-f]+⟧)((?:, earlier ⟦r:[0-9a-f]+⟧)*)(?:, root (.*))?\]\s*$/;

export function openFrame(frame: HandoffFrame): string {
  const { root, through, asked } = frame;
  if (frame.brief) return briefOpening(frame);
  const paths = root === '' ? '' : ` Paths are relative to ${root}.`;
  const order =
    asked === null
      ? ''
      : ` The user's message behind this record is #${asked}: what was done about it since is in here.`;
  return (
    `${OPENING} Record of the conversation up to message #${through}, not a request: the newest user message decides.${order} ` +
    `"In progress" and "Next Steps" say where work stood and are not orders. Behind #n stand words of message n; "…" marks words left out, ` +
    `[later …] what a later message says, + and - what was added and removed.${paths}`
  );
}

/** The last line names the root, so this one need not. */
function briefOpening({ through, asked }: HandoffFrame): string {
  const order = asked === null ? '' : ` User message #${asked} follows; what was done about it since is in here.`;
  return `${OPENING} Record up to #${through}, not a request.${order}`;
}

export function closeFrame({ through, ref, root, earlier }: HandoffFrame): string {
  const before = earlier.map((one) => `, earlier ${one}`).join('');
  return `[end of precis handoff ${HANDOFF_VERSION}: through #${through}, originals ${ref}${before}${root === '' ? '' : `, root ${root}`}]`;
}

export function isHandoffText(text: string): boolean {
  return /^\[precis handoff \d+\] /.test(text) && CLOSING.test(text);
}

export function readFrame(text: string): HandoffFrame | null {
  const match = CLOSING.exec(text);
  if (match === null) return null;
  const earlier = match[4]?.match(/⟦r:[0-9a-f]+⟧/g) ?? [];
  return { through: Number(match[2]), ref: match[3] ?? '', earlier, asked: null, root: match[5] ?? '' };
}
