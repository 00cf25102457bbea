import type { OverwriteFlags } from '../../disk/output-file.ts';
import type { SessionFlags } from '../../flags/session-flags.ts';

export interface ScrubFlags extends SessionFlags, OverwriteFlags {
  readonly out?: string;
  readonly names?: string;
  readonly rules?: string;
  readonly firstMessage?: string;
  readonly keepSystem?: boolean;
  readonly maxOutput: number;
  readonly maxSize: number;
  readonly maxTotal: number;
  readonly report?: string | true;
  readonly json?: boolean;
}
