import type { Deed } from './battery/story.ts';

/** How an agent spells its tools. Peers that track files know only the tools of their own agent. */
export type Dialect = 'common' | 'pi' | 'cline';

export function dialectOf(arm: string): Dialect {
  return arm.startsWith('pi-') ? 'pi' : arm.startsWith('cline-') ? 'cline' : 'common';
}

interface Spoken {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export function spoken(deed: Deed, dialect: Dialect): Spoken {
  return SPEAKERS[dialect](deed);
}

const SPEAKERS: Readonly<Record<Dialect, (deed: Deed) => Spoken>> = {
  common: (deed) => {
    switch (deed.type) {
      case 'shell':
        return { name: 'bash', input: { command: deed.command } };
      case 'read':
        return { name: 'read_file', input: { path: deed.path } };
      case 'write':
        return { name: 'write_file', input: { path: deed.path, content: deed.content } };
      case 'edit':
        return { name: 'edit_file', input: { path: deed.path, old_text: deed.before, new_text: deed.after } };
    }
  },
  pi: (deed) => {
    switch (deed.type) {
      case 'shell':
        return { name: 'bash', input: { command: deed.command } };
      case 'read':
        return { name: 'read', input: { path: deed.path } };
      case 'write':
        return { name: 'write', input: { path: deed.path, content: deed.content } };
      case 'edit':
        return { name: 'edit', input: { path: deed.path, oldText: deed.before, newText: deed.after } };
    }
  },
  cline: (deed) => {
    switch (deed.type) {
      case 'shell':
        return { name: 'run_commands', input: { commands: [deed.command] } };
      case 'read':
        return { name: 'read_files', input: { files: [{ path: deed.path }] } };
      case 'write':
        return { name: 'editor', input: { path: deed.path, new_text: deed.content } };
      case 'edit':
        return { name: 'editor', input: { path: deed.path, old_text: deed.before, new_text: deed.after } };
    }
  },
};
