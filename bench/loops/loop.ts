import type { Context } from '../../src/index.ts';
import { beginsTurn } from './begins-turn.ts';
import { fillers } from './fillers/all.ts';
import type { Filler } from './fillers/filler.ts';
import { keeperOf } from './keeper.ts';
import { createLog, type LoopLog } from './loop-log.ts';
import type { LoopResult } from './loop-result.ts';
import type { LoopSpec } from './loop-spec.ts';
import type { AssistantSaid, Said, Wire } from './said.ts';
import { createServer, type Server } from './server/server.ts';
import { type Stage, stageOf } from './stage.ts';
import { wires } from './wires/all.ts';
import type { WireFormat } from './wires/wire-format.ts';

/** Times that a host tries one turn. */
const MOST_TRIES = 6;

export interface LoopRun {
  readonly spec: LoopSpec;
  readonly filler: Filler;
  readonly stage: Stage;
  readonly server: Server;
  readonly wire: WireFormat;
  readonly log: LoopLog;
}

/** Plays one loop and says what happened in it. */
export async function runLoop(spec: LoopSpec, seed: number): Promise<LoopResult> {
  const filler = fillers.find(({ name }) => name === spec.filler);
  if (filler === undefined) throw new Error(`There is no filler named ${spec.filler}`);
  const { hasReminders, overflow } = filler.shape;
  const { format, window } = spec;
  const run: LoopRun = {
    spec,
    filler,
    stage: stageOf(spec, filler, seed),
    server: createServer({ format, window, namesWindow: overflow !== 'unnamed', hasReminders }),
    wire: wires[format],
    log: createLog(spec, filler),
  };
  const keeper = await keeperOf(run);
  try {
    await playTurns(run, keeper);
  } catch (error) {
    run.log.threw(error);
  } finally {
    await keeper.end();
  }
  return run.log.result();
}

interface Keeper {
  readonly context: () => Context;
  readonly restart: () => Promise<void>;
}

async function playTurns(run: LoopRun, keeper: Keeper): Promise<void> {
  const { spec, stage, filler, wire, server, log } = run;
  const room = roomIn(run);
  let waiting: AssistantSaid['calls'] = [];
  for (let turn = 1; turn <= spec.turns; turn++) {
    if (spec.restart !== null && turn === Math.floor(spec.turns / 2)) await keeper.restart();
    const scene = stage.scene(turn, waiting.length === 0, room);
    const each = { ...scene, budget: scene.budget / Math.max(1, waiting.length) };
    const results = waiting.map((call) => ({ id: call.id, tool: call.tool, pieces: filler.returns(each, call) }));
    const said: readonly Said[] = [
      ...(results.length === 0 ? [] : [{ role: 'results' as const, results }]),
      ...filler.asks(scene),
    ];
    await add(run, keeper.context(), {
      turn,
      messages: said.flatMap(wire.write),
      isOfUser: said.some(({ role }) => role === 'user'),
    });
    const sent = await send(run, keeper.context(), turn);
    if (sent === null) return;
    const answer = filler.answers({ ...scene, isFresh: beginsTurn(sent) });
    const signed = server.sign(sent, wire.write(answer));
    await add(run, keeper.context(), { turn: turn + 1, messages: signed, isOfUser: false });
    if (spec.reportsUsage) {
      const { total, output } = server.size(sent);
      await keeper.context().observe(wire.usage(total - output, log.sizeOf(signed)));
    }
    waiting = answer.calls;
    log.turn();
  }
}

interface Added {
  readonly turn: number;
  readonly messages: readonly Wire[];
  readonly isOfUser: boolean;
}

async function add(run: LoopRun, context: Context, { turn, messages, isOfUser }: Added): Promise<void> {
  const { stage, wire, filler, log, spec } = run;
  const { isThinking, pins } = filler.shape;
  const { system, tools, output } = stage;
  await context.append(turn === 1 ? wire.open({ system, tools, output, isThinking, first: messages }) : messages);
  const tokens = log.said(messages);
  // Two messages fall a little short of their share.
  if (!isOfUser || log.pinned() >= pins * spec.window * 0.9) return;
  await context.pin(context.viewOf(null).length);
  log.pin(tokens);
}

/** Sends until the server takes the request. Returns what it took; null when the loop is over. */
async function send(run: LoopRun, context: Context, turn: number): Promise<unknown> {
  const { server, stage, log } = run;
  let prepared = await context.prepare();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (!prepared.fits) return log.gaveUp(turn, prepared.reason);
    const error = server.refusal(prepared.request);
    if (error === null) {
      log.sent(prepared.request, { faults: server.faults(prepared.request), markers: stage.markers() });
      return prepared.request;
    }
    log.refused(turn, server.size(prepared.request));
    const next = await context.fallback(error);
    if (next.action === 'give-up' || next.prepared === null) return log.gaveUp(turn, next.reason);
    prepared = next.prepared;
  }
  return log.gaveUp(turn, 'the host tried too often');
}

/** Tokens of the window that the fixed parts leave for messages. */
function roomIn({ spec, stage, wire, server, filler }: LoopRun): number {
  const { system, tools, output } = stage;
  const size = server.size(wire.open({ system, tools, output, isThinking: false, first: [] }));
  // A loop that cannot work has no room, but its texts need a size.
  if (filler.shape.isImpossible) return spec.window / 10;
  return spec.window * (1 - filler.shape.pins) - size.total;
}
