import { describe, expect, it } from 'vitest';
import { editParts, encodeWith } from '../../../test/formats/codec.ts';
import type { Part, ToolResultPart } from '../../core/conversation/message.ts';
import { formatLaws } from '../../testing/format-laws.ts';
import { openaiResponses } from './index.ts';

const shell = (output: readonly object[]): readonly object[] => [
  { role: 'user', content: 'run' },
  { type: 'shell_call', call_id: 'a', action: { commands: ['make'] } },
  { type: 'shell_call_output', call_id: 'a', output, max_output_length: 900 },
  { role: 'user', content: 'and?' },
];
const failed = { stdout: 'built', stderr: 'no disk', outcome: { type: 'exit', exit_code: 2 } };

function resultOf(wire: unknown): ToolResultPart {
  const parts = openaiResponses.decode(wire).conversation.messages.flatMap((message): readonly Part[] => message.parts);
  const result = parts.find((part) => part.type === 'tool-result');
  if (result === undefined) throw new Error('no result');
  return result;
}

describe('outputs that the provider defines', () => {
  it('of a shell are texts, and say how the command ended', () => {
    expect(resultOf(shell([failed]))).toMatchObject({
      isError: true,
      content: [
        { type: 'text', text: 'built\nstderr: no disk' },
        { type: 'text', text: 'exit code: 2' },
      ],
    });
    expect(resultOf(shell([{ stdout: 'ok', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]))).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'ok' }],
    });
  });

  it('of a shell keep their shape when they are shortened', () => {
    const { conversation } = openaiResponses.decode(shell([failed]));
    const short = editParts(conversation, 2, () => [
      {
        type: 'tool-result',
        callId: 'a',
        content: [{ type: 'text', text: 'short' }],
        isError: true,
        base: shell([failed])[2],
      },
    ]);
    expect(encodeWith(openaiResponses, short)[2]).toEqual({
      type: 'shell_call_output',
      call_id: 'a',
      output: [{ stdout: 'short', stderr: '', outcome: { type: 'exit', exit_code: 2 } }],
      max_output_length: 900,
    });
  });

  for (const law of formatLaws(openaiResponses, [
    shell([failed]),
    shell([{ ...failed, outcome: { type: 'timeout' } }]),
  ]))
    it(law.name, law.run);

  it('of a computer stay opaque, because only a screenshot is legal there', () => {
    const wire = [
      { role: 'user', content: 'look' },
      { type: 'computer_call', call_id: 'a', actions: [{ type: 'screenshot' }] },
      { type: 'computer_call_output', call_id: 'a', output: { type: 'computer_screenshot', file_id: 'file_1' } },
    ];
    expect(resultOf(wire).content).toMatchObject([
      {
        type: 'opaque',
        kind: 'computer_call_output',
        pictures: [{ width: null, height: null }],
        hosted: { name: 'computer' },
      },
    ]);
  });

  it('of a patch tell whether it failed', () => {
    const wire = [
      { role: 'user', content: 'patch' },
      { type: 'apply_patch_call', call_id: 'a', operation: { type: 'delete_file', path: 'a.ts' } },
      { type: 'apply_patch_call_output', call_id: 'a', status: 'failed', output: 'no such file' },
    ];
    expect(resultOf(wire)).toMatchObject({ isError: true, content: [{ type: 'text', text: 'no such file' }] });
  });
});

describe('a computer that gets several actions at once', () => {
  it('keeps their field when they are edited', () => {
    const wire = [
      { role: 'user', content: 'look' },
      { type: 'computer_call', call_id: 'a', actions: [{ type: 'type', text: 'a long text' }] },
    ];
    const { conversation } = openaiResponses.decode(wire);
    const edited = editParts(conversation, 1, () => [
      {
        type: 'tool-call',
        callId: 'a',
        name: 'computer',
        arguments: '{"actions":[{"type":"type","text":"…"}]}',
        base: wire[1],
      },
    ]);
    expect(encodeWith(openaiResponses, edited)[1]).toEqual({
      type: 'computer_call',
      call_id: 'a',
      actions: [{ type: 'type', text: '…' }],
    });
  });
});
