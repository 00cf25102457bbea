import { describe, expect, it } from 'vitest';
import { countTokens } from '../../bench/peers/arms/steps.ts';
import { CONSTRAINTS, FILES, WORK } from '../../bench/peers/battery/truth.ts';
import { batterySession, LONG_CALLS, USUAL_CALLS } from '../../bench/peers/battery-session.ts';
import { type Dialect, dialectOf } from '../../bench/peers/dialect.ts';
import { unsoundness } from '../../bench/peers/sound.ts';
import { folded, textOfMessage, textOfView } from '../../bench/peers/text.ts';

const DIALECTS: readonly Dialect[] = ['common', 'pi', 'cline'];

describe.each(DIALECTS)('the battery session, %s', (dialect) => {
  const session = batterySession(dialect);

  it('is sound, the same each time, and has its size', () => {
    expect(unsoundness(session.messages)).toBeNull();
    expect(batterySession(dialect)).toEqual(session);
    expect(session.messages.filter(({ role }) => role === 'tool')).toHaveLength(USUAL_CALLS);
    const tokens = countTokens(session.messages);
    expect(tokens).toBeGreaterThan(85_000);
    expect(tokens).toBeLessThan(95_000);
  });

  it('says every truth literally', () => {
    const text = textOfView(session.messages);
    const needles = [...CONSTRAINTS, ...FILES.map(({ path }) => path), ...WORK.map(({ needle }) => needle)];
    expect(needles.filter((needle) => !text.includes(folded(needle)))).toEqual([]);
    expect(session.facts).toHaveLength(needles.length);
  });

  it('says nothing of them again at the end', () => {
    expect(session.facts.filter(({ position }) => position > 0.95)).toEqual([]);
  });

  it('lets the agent speak before every word of the user', () => {
    const { messages } = session;
    const unanswered = messages.filter(
      ({ role }, at) => role === 'user' && at > 1 && messages[at - 1]?.role !== 'assistant',
    );
    expect(unanswered).toEqual([]);
    expect(messages.at(-1)?.role).toBe('user');
  });
});

describe('the battery session', () => {
  it('demands in early and in later words of the user, and in no others', () => {
    const { messages, constraints } = batterySession('common');
    for (const { needles } of constraints) {
      const saying = messages.filter((message) => folded(textOfMessage(message)).includes(needles[0]!));
      expect(saying.map(({ role }) => role)).toEqual(['user']);
    }
    expect(constraints.filter(({ position }) => position > 0.4).length).toBeGreaterThanOrEqual(3);
  });

  it('has a long form with the same truths', () => {
    const { messages, facts } = batterySession('common', LONG_CALLS);
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(LONG_CALLS);
    // Counting all of it would take longer than all other tests here; characters tell as much.
    expect(JSON.stringify(messages).length).toBeGreaterThan(1_700_000);
    expect(facts.filter(({ position }) => position < 0)).toEqual([]);
  });

  it('changes more than half of its files by commands, and no path is part of another', () => {
    expect(FILES.filter(({ byShell }) => byShell).length).toBeGreaterThan(FILES.length / 2);
    const paths = FILES.map(({ path }) => path);
    expect(paths.filter((path) => paths.some((other) => other !== path && other.includes(path)))).toEqual([]);
  });

  it('speaks to each arm in the tools of its own agent', () => {
    expect(['pi-agent-core', 'cline-basic', 'langchain', 'precis'].map(dialectOf)).toEqual([
      'pi',
      'cline',
      'common',
      'common',
    ]);
    const names = DIALECTS.map((dialect) => {
      const calls = batterySession(dialect).messages.flatMap(({ tool_calls = [] }) => tool_calls);
      return [...new Set(calls.map((call) => call.function.name))].sort();
    });
    expect(names).toEqual([
      ['bash', 'edit_file', 'read_file', 'write_file'],
      ['bash', 'edit', 'read', 'write'],
      ['editor', 'read_files', 'run_commands'],
    ]);
  });
});
