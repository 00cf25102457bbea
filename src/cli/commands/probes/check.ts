import { PrecisError } from '../../../core/errors.ts';
import type { BankCheck, Finding } from '../../../eval/probes/check/check.ts';
import { jsonText } from '../../screen/json-text.ts';
import { counted } from '../../screen/paint.ts';
import { wrapAt } from '../../screen/wrap.ts';
import type { World } from '../../world.ts';
import type { ProbesFlags } from './flags.ts';
import { secretFinder } from './secret-finder.ts';

export async function runCheck(world: World, places: readonly string[], { json, out }: ProbesFlags): Promise<number> {
  if (out !== undefined) throw new PrecisError('bad-option', '`--check` writes nothing; leave out `--out`');
  const [{ openFixtures }, { checkBank }] = await Promise.all([
    import('../../fixtures/fixtures.ts'),
    import('../../../eval/probes/check/check.ts'),
  ]);
  const secretsIn = await secretFinder();
  const checks: BankCheck[] = [];
  for (const { fixture, bank, conversation } of await openFixtures(world, places)) {
    if (bank === null)
      throw new PrecisError(
        'bad-input',
        `${fixture.file}: expected probes next to it, in probes.json, but there are none`,
      );
    checks.push(checkBank(fixture, bank, { conversation, secretsIn }));
  }
  const isOk = checks.every(({ ok }) => ok);
  if (json === true) world.out(jsonText({ ok: isOk, fixtures: checks }));
  else world.out(checks.map((check) => checkText(check, world.outScreen.columns)).join(''));
  return isOk ? 0 : 1;
}

function checkText({ fixture, probes, facts, findings, rejected }: BankCheck, columns: number): string {
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const sound = `${probes - rejected.length} of ${counted(probes, 'probe')} sound`;
  const head = `${fixture}: ${sound}, ${counted(facts, 'fact')}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}\n`;
  return head + findings.map((finding) => `  ${wrapAt(2, findingText(finding), columns)}\n`).join('');
}

function findingText({ probe, gate, severity, fact, text }: Finding): string {
  const subject = fact === null ? '' : `\`${fact}\` `;
  return `${severity === 'unsound' ? 'unsound' : 'warning'}  ${probe} (${gate}): ${subject}${text}`;
}
