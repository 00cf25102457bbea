/** Short logs, written by hand, one of each agent, with the oddities real ones have. Every test of a reader starts from these. */

export interface Sample {
  readonly reader: string;
  /** Lines of a log, or one document. */
  readonly values: readonly unknown[];
  readonly isDocument?: boolean;
}

export function textOfSample({ values, isDocument }: Sample): string {
  return isDocument === true
    ? JSON.stringify(values[0], null, 1)
    : `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
}

export const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

const claudeLine = (uuid: string, parentUuid: string | null, minute: number, more: object): object => ({
  uuid,
  parentUuid,
  isSidechain: false,
  sessionId: 's-1',
  cwd: '/home/me/shop',
  version: '2.1.0',
  timestamp: at(minute),
  ...more,
});
const claudeUser = (content: unknown): object => ({ type: 'user', message: { role: 'user', content } });
const claudeAnswer = (id: string, block: object, output: number): object => ({
  type: 'assistant',
  requestId: `req_${id}`,
  message: {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [block],
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 3000,
      output_tokens: output,
    },
  },
});
const toolUse = (id: string, command: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command } });
const toolResult = (id: string, content: unknown): object => ({ type: 'tool_result', tool_use_id: id, content });

/**
 * One answer in three lines whose calls run in parallel (so the chain runs through the last result only), a side chain, a branch the user
 * gave up, a compaction whose logical parent is in the file, and lines of other types in between.
 */
export const claudeCodeSample: Sample = {
  reader: 'claude-code',
  values: [
    { type: 'summary', summary: 'Fix the cart', leafUuid: 'x' },
    {
      type: 'file-history-snapshot',
      messageId: 'u1',
      snapshot: { trackedFileBackups: {} },
      isSnapshotUpdate: false,
    },
    claudeLine('u1', null, 0, claudeUser('The cart total is wrong. Fix cart.ts.')),
    claudeLine(
      'a1',
      'u1',
      1,
      claudeAnswer('msg_1', { type: 'thinking', thinking: 'Look first.', signature: 'c2ln' }, 3),
    ),
    claudeLine('a2', 'a1', 1, claudeAnswer('msg_1', toolUse('t1', 'cat cart.ts'), 3)),
    claudeLine('r1', 'a2', 1, {
      ...claudeUser([toolResult('t1', 'const total = 1;')]),
      toolUseResult: { stdout: 'x' },
    }),
    claudeLine('a3', 'a2', 1, claudeAnswer('msg_1', toolUse('t2', 'ls'), 90)),
    claudeLine('r2', 'a3', 1, claudeUser([toolResult('t2', [{ type: 'text', text: 'cart.ts' }])])),
    claudeLine('p1', 'r2', 1, { type: 'progress', data: {} }),
    claudeLine('side1', 'a3', 1, { ...claudeUser('subagent task'), isSidechain: true }),
    claudeLine('side2', 'side1', 1, {
      ...claudeAnswer('msg_side', { type: 'text', text: 'subagent answer' }, 5),
      isSidechain: true,
    }),
    claudeLine('a4', 'p1', 2, claudeAnswer('msg_2', { type: 'text', text: 'The tax is missing.' }, 40)),
    claudeLine('u2', 'a4', 3, claudeUser('Never mind, take it out.')),
    claudeLine('u3', 'a4', 4, claudeUser('Add the tax.')),
    claudeLine('m1', 'u3', 4, { ...claudeUser([{ type: 'text', text: 'Caveat: a note of the host.' }]), isMeta: true }),
    claudeLine('e1', 'm1', 4, {
      type: 'assistant',
      message: { id: 'err', role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }] },
    }),
    claudeLine('b1', null, 5, {
      type: 'system',
      subtype: 'compact_boundary',
      logicalParentUuid: 'e1',
      compactMetadata: { trigger: 'auto', preTokens: 160_000, preservedMessages: { anchorUuid: 's1', uuids: ['u3'] } },
    }),
    claudeLine('s1', 'b1', 5, { ...claudeUser('Summary of what was done.'), isCompactSummary: true }),
    claudeLine('a5', 's1', 6, claudeAnswer('msg_3', toolUse('t3', 'npm test'), 20)),
    claudeLine('r3', 'a5', 6, claudeUser([{ ...toolResult('t3', 'ok'), is_error: false }])),
    claudeLine('a6', 'r3', 7, claudeAnswer('msg_4', { type: 'text', text: 'Done.' }, 8)),
    { type: 'ai-title', aiTitle: 'Cart without tax', sessionId: 's-1' },
  ],
};

const codexLine = (type: string, minute: number, payload: object): object => ({ timestamp: at(minute), type, payload });
const codexItem = (minute: number, payload: object): object => codexLine('response_item', minute, payload);
const said = (role: string, text: string): object => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const codexTokens = (input: number, cached: number, output: number): object => ({
  type: 'token_count',
  info: { last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output } },
});

export const codexSample: Sample = {
  reader: 'codex',
  values: [
    codexLine('session_meta', 0, {
      id: 'c-1',
      cwd: '/home/me/shop',
      timestamp: at(0),
      base_instructions: { text: 'You are a coding agent.' },
    }),
    codexLine('turn_context', 0, { model: 'gpt-5.5', cwd: '/home/me/shop' }),
    codexItem(0, said('developer', 'Sandbox: none.')),
    codexItem(0, said('user', '<environment_context>\n<cwd>/home/me/shop</cwd>\n</environment_context>')),
    codexItem(0, said('user', 'Fix the cart.')),
    codexLine('event_msg', 0, { type: 'user_message', message: 'Fix the cart.' }),
    codexItem(1, {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Look.' }],
      encrypted_content: 'secret',
    }),
    codexItem(1, said('assistant', 'I look at it.')),
    codexItem(1, { type: 'function_call', name: 'shell', arguments: '{"command":"cat cart.ts"}', call_id: 'k1' }),
    codexItem(1, { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'k2' }),
    codexLine('event_msg', 1, codexTokens(1000, 800, 50)),
    codexLine('event_msg', 1, { type: 'exec_command_end', call_id: 'k1', aggregated_output: 'twice' }),
    codexItem(1, { type: 'function_call_output', call_id: 'k1', output: 'const total = 1;' }),
    codexItem(1, { type: 'custom_tool_call_output', call_id: 'k2', output: { content: 'patched', success: true } }),
    codexItem(2, { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'vat rate' } }),
    codexItem(2, said('assistant', 'It was the tax.')),
    codexLine('event_msg', 2, codexTokens(1100, 1000, 20)),
    codexItem(3, said('user', 'Now break it.')),
    codexItem(3, said('assistant', 'No.')),
    codexLine('event_msg', 3, { type: 'thread_rolled_back', num_turns: 1 }),
    codexLine('compacted', 4, {
      message: '',
      replacement_history: [said('user', 'Fix the cart.'), said('user', 'Summary: the tax was missing.')],
    }),
    codexItem(5, said('user', 'Run the tests.')),
    codexItem(5, { type: 'function_call', name: 'shell', arguments: '{"command":"npm test"}', call_id: 'k3' }),
  ],
};

export const hermesSample: Sample = {
  reader: 'hermes',
  values: [
    { role: 'session_meta', tools: [], model: 'hermes-4', platform: 'cli', timestamp: at(0) },
    { role: 'user', content: 'Fix the cart.', timestamp: at(0) },
    {
      role: 'assistant',
      content: '',
      reasoning: 'Look.',
      tool_calls: [{ id: 'h1', type: 'function', function: { name: 'terminal', arguments: '{"command":"ls"}' } }],
      timestamp: at(1),
    },
    { role: 'tool', tool_call_id: 'h1', tool_name: 'terminal', content: 'cart.ts', timestamp: at(1) },
    { role: 'assistant', content: 'It was the tax.', timestamp: at(2) },
  ],
};

const piEntry = (id: string, parentId: string | null, minute: number, more: object): object => ({
  id,
  parentId,
  timestamp: at(minute),
  ...more,
});
const piMessage = (message: object): object => ({ type: 'message', message });
const piText = (text: string): object => ({ type: 'text', text });

export const piSample: Sample = {
  reader: 'pi',
  values: [
    { type: 'session', version: 3, id: 'p-1', timestamp: at(0), cwd: '/home/me/shop' },
    piEntry('1', null, 0, { type: 'model_change', provider: 'anthropic', modelId: 'claude-sonnet-5' }),
    piEntry('2', '1', 0, piMessage({ role: 'user', content: [piText('Fix the cart.')] })),
    piEntry(
      '3',
      '2',
      1,
      piMessage({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Look.' },
          { type: 'toolCall', id: 'q1', name: 'read', arguments: { path: 'cart.ts' } },
        ],
        model: 'claude-sonnet-5',
        usage: { input: 100, output: 20, cacheRead: 1000, cacheWrite: 50 },
        stopReason: 'toolUse',
      }),
    ),
    piEntry('4', '3', 1, piMessage({ role: 'toolResult', toolCallId: 'q1', content: [piText('const total = 1;')] })),
    piEntry('5', '4', 1, piMessage({ role: 'assistant', content: [], stopReason: 'aborted' })),
    piEntry(
      '6',
      '4',
      2,
      piMessage({ role: 'assistant', content: [piText('It was the tax.')], model: 'claude-sonnet-5' }),
    ),
    piEntry('7', '6', 3, piMessage({ role: 'bashExecution', command: 'npm test', output: 'ok' })),
    piEntry('8', '7', 4, {
      type: 'compaction',
      summary: 'The tax was missing.',
      firstKeptEntryId: '6',
      tokensBefore: 9,
    }),
    piEntry('9', '8', 5, piMessage({ role: 'user', content: 'Go on.' })),
    piEntry('10', '2', 6, piMessage({ role: 'user', content: 'A branch that was left again.' })),
    piEntry('11', '9', 7, piMessage({ role: 'assistant', content: [piText('Done.')], model: 'claude-sonnet-5' })),
  ],
};

const openCodeTool = (callID: string, state: object): object => ({ type: 'tool', tool: 'bash', callID, state });

export const openCodeSample: Sample = {
  reader: 'opencode',
  isDocument: true,
  values: [
    {
      info: { id: 'ses_1', title: 'The cart', directory: '/home/me/shop', time: { created: 1_772_359_200_000 } },
      messages: [
        {
          info: { id: 'm1', role: 'user', time: { created: 1_772_359_200_000 } },
          parts: [
            { type: 'text', text: 'Fix the cart.' },
            { type: 'text', text: 'Called the Read tool', synthetic: true },
          ],
        },
        {
          info: {
            id: 'm2',
            role: 'assistant',
            modelID: 'claude-sonnet-5',
            time: { created: 1_772_359_260_000 },
            tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 1000, write: 50 } },
          },
          parts: [
            { type: 'step-start' },
            { type: 'reasoning', text: 'Look.' },
            openCodeTool('o1', {
              status: 'completed',
              input: { command: 'ls' },
              output: 'cart.ts',
              time: { end: 1, compacted: 2 },
            }),
            openCodeTool('o2', { status: 'error', input: { command: 'rm' }, error: 'denied' }),
            { type: 'step-finish', tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 1000, write: 50 } } },
            { type: 'patch' },
          ],
        },
        {
          info: { id: 'm3', role: 'user', time: { created: 1_772_359_320_000 } },
          parts: [{ type: 'compaction', auto: true }],
        },
        {
          info: { id: 'm4', role: 'assistant', summary: true, parentID: 'm3', time: { created: 1_772_359_330_000 } },
          parts: [{ type: 'text', text: 'The tax was missing.' }],
        },
        {
          info: { id: 'm5', role: 'user', time: { created: 1_772_359_340_000 } },
          parts: [{ type: 'text', text: 'Go on.' }],
        },
        {
          info: { id: 'm6', role: 'assistant', modelID: 'claude-sonnet-5', time: { created: 1_772_359_350_000 } },
          parts: [
            { type: 'text', text: 'Running.' },
            openCodeTool('o3', { status: 'running', input: { command: 'npm test' } }),
          ],
        },
      ],
    },
  ],
};

const geminiCall = {
  id: 'g1',
  name: 'read_file',
  args: { path: 'cart.ts' },
  result: [{ functionResponse: { id: 'g1', name: 'read_file', response: { output: 'const total = 1;' } } }],
  status: 'success',
};

export const geminiSample: Sample = {
  reader: 'gemini-cli',
  values: [
    { sessionId: 'g-1', projectHash: 'abc', startTime: at(0), lastUpdated: at(0), kind: 'main' },
    { id: '1', timestamp: at(0), type: 'user', content: [{ text: 'Fix the cart.' }] },
    { id: '2', timestamp: at(1), type: 'info', content: 'An update is there.' },
    {
      id: '3',
      timestamp: at(1),
      type: 'gemini',
      content: '',
      toolCalls: [{ ...geminiCall, result: null, status: 'pending' }],
    },
    {
      id: '3',
      timestamp: at(1),
      type: 'gemini',
      content: 'I look.',
      model: 'gemini-3-flash',
      thoughts: [{ subject: 'Cart', description: 'the tax' }],
      tokens: { input: 500, output: 20, cached: 100, thoughts: 7, tool: 0, total: 527 },
      toolCalls: [geminiCall],
    },
    { id: '4', timestamp: at(2), type: 'user', content: 'Break it.' },
    { id: '5', timestamp: at(2), type: 'gemini', content: 'No.' },
    { $rewindTo: '4' },
    { $set: { summary: 'The cart', lastUpdated: at(9) } },
    { id: '6', timestamp: at(3), type: 'user', content: 'Add the tax.' },
  ],
};

export const sweAgentSample: Sample = {
  reader: 'swe-agent',
  isDocument: true,
  values: [
    {
      environment: 'swe_main',
      trajectory: [{ action: 'ls\n', observation: 'cart.ts' }],
      history: [
        { role: 'system', content: 'You fix bugs.', agent: 'primary' },
        { role: 'user', content: 'A demonstration.', is_demo: true },
        { role: 'user', content: 'Fix the cart.' },
        { role: 'assistant', content: 'Look.\n```\nls\n```', thought: 'Look.\n', action: 'ls\n' },
        { role: 'user', content: 'cart.ts' },
        {
          role: 'assistant',
          content: 'Open it.',
          action: 'open cart.ts',
          tool_calls: [{ id: 'w1', type: 'function', function: { name: 'open', arguments: '{"path":"cart.ts"}' } }],
        },
        { role: 'tool', content: [{ type: 'text', text: 'const total = 1;' }], tool_call_ids: ['w1'] },
        { role: 'assistant', content: '```\nsubmit\n```', thought: '\n', action: 'submit\n' },
      ],
      info: { exit_status: 'submitted', model_stats: {} },
    },
  ],
};

export const miniSweAgentSample: Sample = {
  reader: 'mini-swe-agent',
  isDocument: true,
  values: [
    {
      trajectory_format: 'mini-swe-agent-1.1',
      info: { exit_status: 'Submitted', config: { model: { model_name: 'claude-sonnet-5' } } },
      messages: [
        { role: 'system', content: 'You fix bugs.' },
        { role: 'user', content: 'Fix the cart.' },
        {
          role: 'assistant',
          content: 'THOUGHT: look\n\n```bash\nls -la\n```',
          extra: { timestamp: 1_772_359_200.5, cost: 0.1, response: { model: 'claude-sonnet-5' } },
        },
        { role: 'user', content: '<returncode>0</returncode>\n<output>\ncart.ts\n</output>', extra: { returncode: 0 } },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'n1', type: 'function', function: { name: 'bash', arguments: '{"command":"cat"}' } }],
        },
        { role: 'tool', tool_call_id: 'n1', content: 'const total = 1;', extra: { returncode: 0 } },
        { role: 'exit', content: '', extra: { exit_status: 'Submitted' } },
      ],
    },
  ],
};

const openHandsEvent = (id: string, kind: string, minute: number, more: object): object => ({
  id,
  kind,
  timestamp: at(minute),
  source: 'agent',
  ...more,
});

export const openHandsSample: Sample = {
  reader: 'openhands',
  values: [
    openHandsEvent('e0', 'SystemPromptEvent', 0, { system_prompt: { type: 'text', text: 'You fix bugs.' }, tools: [] }),
    openHandsEvent('e1', 'MessageEvent', 0, {
      source: 'user',
      llm_message: { role: 'user', content: [{ type: 'text', text: 'Fix the cart.' }] },
    }),
    openHandsEvent('e2', 'ActionEvent', 1, {
      thought: [{ type: 'text', text: 'Look.' }],
      reasoning_content: 'Hm.',
      tool_name: 'terminal',
      tool_call_id: 'x1',
      tool_call: { id: 'x1', name: 'terminal', arguments: '{"command":"ls"}' },
      llm_response_id: 'r1',
    }),
    openHandsEvent('e3', 'ActionEvent', 1, {
      thought: [],
      tool_call_id: 'x2',
      tool_call: { id: 'x2', function: { name: 'terminal', arguments: '{"command":"rm"}' } },
      llm_response_id: 'r1',
    }),
    openHandsEvent('e4', 'ObservationEvent', 1, {
      observation: { kind: 'TerminalObservation', content: [{ type: 'text', text: 'cart.ts' }] },
      tool_call_id: 'x1',
      action_id: 'e2',
    }),
    openHandsEvent('e5', 'UserRejectObservation', 1, { rejection_reason: 'no', tool_call_id: 'x2', action_id: 'e3' }),
    openHandsEvent('e6', 'CondensationRequest', 2, {}),
    openHandsEvent('e7', 'Condensation', 2, {
      forgotten_event_ids: ['e2', 'e3', 'e4', 'e5'],
      summary: 'Looked around.',
      summary_offset: 2,
    }),
    openHandsEvent('e8', 'MessageEvent', 3, {
      llm_message: { role: 'assistant', content: [{ type: 'text', text: 'It was the tax.' }] },
    }),
  ],
};

const copilotEvent = (type: string, minute: number, data: object, more: object = {}): object => ({
  type,
  data,
  id: `${type}-${minute}`,
  timestamp: at(minute),
  ...more,
});

export const copilotSample: Sample = {
  reader: 'copilot-cli',
  values: [
    copilotEvent('session.start', 0, { sessionId: 'k-1', startTime: at(0), context: { cwd: '/home/me/shop' } }),
    copilotEvent('system.message', 0, { content: 'An old prompt.' }),
    copilotEvent('system.message', 0, { content: 'The prompt.' }),
    copilotEvent('user.message', 0, { content: 'Fix', transformedContent: 'Fix the cart.' }),
    copilotEvent('assistant.message', 1, {
      model: 'claude-sonnet-5',
      content: 'I look.',
      reasoningText: 'Hm.',
      outputTokens: 30,
      toolRequests: [
        { toolCallId: 'y1', name: 'bash', arguments: { command: 'ls' } },
        { toolCallId: 'y2', name: 'bash', arguments: '{"command":"rm"}' },
      ],
    }),
    copilotEvent('tool.execution_start', 1, { toolCallId: 'y1' }),
    copilotEvent('assistant.message', 1, { content: 'subagent' }, { agentId: 'y9' }),
    copilotEvent('tool.execution_complete', 1, { toolCallId: 'y1', success: true, result: { content: 'cart.ts' } }),
    copilotEvent('tool.execution_complete', 1, { toolCallId: 'y2', success: false, error: { message: 'denied' } }),
    copilotEvent('session.compaction_complete', 2, { success: true, summaryContent: 'Looked around.' }),
    copilotEvent('user.message', 3, { content: 'Go on.' }),
  ],
};

const chat = [
  { role: 'system', content: 'You sell flights.' },
  { role: 'user', content: 'Change my flight.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'z1', type: 'function', function: { name: 'find', arguments: '{"user":"me"}' } }],
  },
  { role: 'tool', tool_call_id: 'z1', name: 'find', content: 'LH 400' },
];

export const tauBenchSample: Sample = {
  reader: 'tau-bench',
  isDocument: true,
  values: [
    [
      { task_id: 7, trial: 1, reward: 1, traj: chat },
      { task_id: 8, trial: 1, reward: 0, traj: chat.slice(0, 2) },
    ],
  ],
};

export const taggedSample: Sample = {
  reader: 'tagged-text',
  isDocument: true,
  values: [
    {
      type: 'chatml',
      messages: [
        { role: 'system', content: 'You search.' },
        { role: 'user', content: 'Who won?' },
        {
          role: 'assistant',
          content: '<think>Hm.</think>\n<tool_call>\n{"name": "search", "arguments": {"q": "won"}}\n</tool_call>',
        },
        { role: 'user', content: '<tool_response>\nThe blue team.\n</tool_response>' },
        { role: 'assistant', content: '<answer>Blue.</answer>' },
      ],
    },
  ],
};

export const aiOpsSample: Sample = {
  reader: 'aiopslab',
  isDocument: true,
  values: [
    {
      agent: 'react',
      session_id: 'l-1',
      problem_id: 'shop-1',
      start_time: 1_772_359_200.5,
      trace: [
        { role: 'assistant', content: 'Thought: look.\nAction: \n```\nexec_shell("kubectl get pods")\n```' },
        { role: 'env', content: 'cart 0/1 CrashLoopBackOff' },
        { role: 'assistant', content: 'Action: get_logs("shop", "cart")' },
        { role: 'env', content: 'out of memory' },
        { role: 'assistant', content: 'I am done.' },
        { role: 'env', content: 'No action found.' },
      ],
    },
  ],
};

export const samples: readonly Sample[] = [
  claudeCodeSample,
  codexSample,
  hermesSample,
  piSample,
  openCodeSample,
  geminiSample,
  sweAgentSample,
  miniSweAgentSample,
  openHandsSample,
  copilotSample,
  tauBenchSample,
  taggedSample,
  aiOpsSample,
];
