import type { PeersResults } from '../../peers/results.ts';
import type { SpeedResults } from '../../speed/types.ts';
import { codeOf, factor, listed, percent, plural, shortTokens, times, whole } from '../figures.ts';
import { blocks, inline, list } from '../markdown.ts';

export const MARK =
  '<!-- Made by npm run bench:report from bench/results. Do not edit: the next run would undo it. -->';

export function intro(peers: PeersResults, speed: SpeedResults): string {
  return blocks('# Benchmarks', MARK, WHAT, COMMANDS, NEEDS, conditions(peers, speed), arms(peers));
}

const WHAT = `precis beside other compactors, on the same sessions, with the same scripted summariser and in views of the same size; then its own speed
and memory. Every figure and every sentence with a figure on this page is computed from the files in [\`bench/results\`](../bench/results); a test
compares the page with them.`;

const COMMANDS = `\`\`\`sh
npm run bench:peers -- --save   # beside others: writes bench/results/peers.json
npm run bench -- --save         # speed and memory: bench/results/speed.json and bench/baseline.json
npm run bench:own -- --save     # store, logs, crashes, scrubbing, a long life: bench/results/own.json
npm run bench:report            # this page, its charts and the figures of the README
npm run bench:report -- --check # changes nothing; exit code 1 when they are not those of the results
\`\`\``;

const NEEDS = `The first needs the network once, to install the others in exact versions outside of the project. None needs a key: the summariser is a program
that answers on the loopback. Facts kept are the same on every run and machine for the same code and versions; times are not.`;

function conditions(peers: PeersResults, speed: SpeedResults): string {
  const { sessions, target, noise } = { ...peers, noise: peers.cost.noise };
  const tokens = sessions.map((session) => session.tokens);
  const facts = sessions.reduce((sum, session) => sum + session.facts, 0);
  const place = peers.place === null ? 'shipped with the project' : 'of a folder that was given';
  return blocks(
    '## Conditions',
    list([
      `Beside others: ${peers.date.slice(0, 10)}, ${codeOf(peers)}Node ${bare(peers.node)}, ${inline(peers.machine)}, ${whole(peers.seconds / 60)} min in all.`,
      `Our own speed: ${speed.date.slice(0, 10)}, ${codeOf(speed)}Node ${bare(speed.node)}, ${plural(speed.cpu.cores, 'core')}.`,
      `Sessions: ${sessions.length}, ${place}, of ${shortTokens(Math.min(...tokens))} to ${shortTokens(Math.max(...tokens))} tokens, with ${plural(facts, 'fact')} to keep.`,
      `The whole sessions hold all ${plural(facts, 'fact')}, the system messages and first requests alone ${whole(peers.floor.kept)}.`,
      `Size of a view: ${target.percent} % of its session, at least ${whole(target.leastTokens)} tokens. Compactions in a row: ${listed(peers.passes.map(String))}. Window of the agent’s model: ${whole(peers.window)} tokens.`,
      `Noise: the same arm measured twice in the same way differs by a factor of ${times(factor(noise.pass))} for a compaction and ${times(factor(noise.turn))} for a turn. In the suite of our own speed the same code differs by ${percent(speed.noise.median)} at the median and ${percent(speed.noise.largest)} at most (${speed.noise.where}). Smaller differences say nothing.`,
    ]),
  );
}

function bare(version: string): string {
  return version.replace(/^v/, '');
}

function arms({ arms: all }: PeersResults): string {
  return blocks(
    '### What was run',
    list(
      all.map(({ title, versions, how, failed }) => {
        const version = versions.length === 0 ? '' : ` (${versions.map(inline).join(', ')})`;
        return `**${inline(title)}**${version}: ${inline(how).replace(/\.?$/, '.')}${failed === null ? '' : ' It could not run, see below.'}`;
      }),
    ),
  );
}
