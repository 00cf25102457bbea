/** Wire messages of a made-up agent, for tests of the living context. */
export type Wire = Readonly<Record<string, unknown>>;

export const SYSTEM: Wire = { role: 'system', content: 'You look after runs. Never delete a log.' };

/** One turn in OpenAI chat form: the user asks, the agent runs a command, the output comes, the agent answers. */
export function turn(n: number, lines = 40): readonly Wire[] {
  const id = `call_${n}`;
  const command = JSON.stringify({ command: `cat run-${n}.log` });
  return [
    { role: 'user', content: `Question ${n}: what is the value of run ${n}?` },
    {
      role: 'assistant',
      content: `I look at run ${n}.`,
      tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: command } }],
    },
    { role: 'tool', tool_call_id: id, content: outputOf(n, lines) },
    { role: 'assistant', content: `The value of run ${n} is ${n * 1000 + 7}.` },
  ];
}

/** The same in Anthropic form. */
export function anthropicTurn(n: number, lines = 40): readonly Wire[] {
  const id = `toolu_${n}`;
  return [
    { role: 'user', content: `Question ${n}: what is the value of run ${n}?` },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `I look at run ${n}.` },
        { type: 'tool_use', id, name: 'bash', input: { command: `cat run-${n}.log` } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: outputOf(n, lines) }] },
    { role: 'assistant', content: [{ type: 'text', text: `The value of run ${n} is ${n * 1000 + 7}.` }] },
  ];
}

export function turns(from: number, to: number, lines = 40): readonly Wire[] {
  return Array.from({ length: to - from + 1 }, (_, index) => turn(from + index, lines)).flat();
}

function outputOf(n: number, lines: number): string {
  return Array.from({ length: lines }, (_, line) => `line ${line} of run ${n}: value ${n * 1000 + line}`).join('\n');
}
