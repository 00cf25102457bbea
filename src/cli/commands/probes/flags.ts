import type { OverwriteFlags } from '../../disk/output-file.ts';
import type { SessionFlags } from '../../flags/session-flags.ts';

export interface ProbesFlags extends SessionFlags, OverwriteFlags {
  readonly check?: boolean;
  readonly out?: string;
  readonly count: number;
  readonly model?: string;
  readonly json?: boolean;
}
