import { describe, expect, it } from 'vitest';
import { catalog } from '../../models/catalog/catalog.ts';
import { openContext } from '../open.ts';
import type { ContextOptions } from '../options.ts';
import { checkModel } from './check-models.ts';

const MODEL = { id: 'm', contextWindow: 10_000, maxOutput: 1_000 };

const BAD_MODELS: readonly (readonly [fields: object, field: string, value: string])[] = [
  [{ maxOutput: 0 }, 'maxOutput', '`0` (number)'],
  [{ maxOutput: -1 }, 'maxOutput', '`-1` (number)'],
  [{ maxOutput: 1.5 }, 'maxOutput', '`1.5` (number)'],
  [{ maxOutput: Number.NaN }, 'maxOutput', '`NaN` (number)'],
  [{ maxOutput: undefined }, 'maxOutput', '`undefined` (undefined)'],
  [{ maxOutput: '1000' }, 'maxOutput', '`1000` (string)'],
  [{ maxOutput: 10_001 }, 'maxOutput', '`10001` (number)'],
  [{ contextWindow: 15 }, 'contextWindow', '`15` (number)'],
  [{ contextWindow: 10_000.5 }, 'contextWindow', '`10000.5` (number)'],
  [{ contextWindow: Number.POSITIVE_INFINITY }, 'contextWindow', '`Infinity` (number)'],
  [{ contextWindow: undefined }, 'contextWindow', '`undefined` (undefined)'],
  [{ id: '' }, 'id', '`` (string)'],
  [{ id: undefined }, 'id', '`undefined` (undefined)'],
];

describe('models that cannot be', () => {
  it.each(BAD_MODELS)(
    '%o is refused when a context is opened, and when it switches to it',
    async (fields, field, value) => {
      const model = { ...MODEL, ...fields };
      const first = { ...MODEL, id: 'first' };
      const opening = openContext({ id: 'a', models: [first, model] });
      await expect(opening).rejects.toMatchObject({ code: 'bad-option' });
      await expect(opening).rejects.toThrow(`Expected \`models[1].${field}\` to be `);
      await expect(opening).rejects.toThrow(`got ${value}`);
      await using context = await openContext({ id: 'a', models: [first] });
      const { threshold } = context.metrics().view;
      await expect(context.useModel(model)).rejects.toThrow(`Expected \`model.${field}\` to be `);
      expect(context.metrics().view.threshold).toBe(threshold);
    },
  );

  it('are refused when two have the same name', async () => {
    const opening = openContext({ id: 'a', models: [MODEL, { ...MODEL, contextWindow: 20_000 }] });
    await expect(opening).rejects.toThrow('Expected `models[1].id` to be unlike that of every other model, got `m`');
  });

  it('are refused when they are no models at all', async () => {
    const open = (models: unknown) => openContext({ id: 'a', models } as ContextOptions);
    await expect(open('gpt')).rejects.toThrow('Expected `models` to be a list of models');
    await expect(open(['gpt'])).rejects.toThrow('Expected `models[0]` to be an object');
    await using context = await openContext({ id: 'a' });
    await expect(context.useModel(null as never)).rejects.toThrow('Expected `model` to be an object');
  });

  it('are not in the catalogue', () => {
    for (const model of catalog) expect(() => checkModel(model, model.id)).not.toThrow();
  });
});

describe('a reserve for the answer', () => {
  it.each([10_000, 20_000, -1, 1.5, '8000'])(
    'of %s is refused for a window of 10,000 tokens',
    async (reservedOutput) => {
      const policy = { reservedOutput } as { readonly reservedOutput: number };
      const text = 'Expected `policy.reservedOutput` to be an integer from 0 up to, but not including, the window';
      await expect(openContext({ id: 'a', models: [MODEL], policy })).rejects.toThrow(`${text} of m, 10000, got`);
      await expect(openContext({ id: 'a', window: 10_000, policy })).rejects.toThrow(`${text}, 10000, got`);
    },
  );

  it('is held against the window of a model that is named later', async () => {
    await using context = await openContext({ id: 'a', models: [MODEL], policy: { reservedOutput: 5_000 } });
    const tiny = { id: 'tiny', contextWindow: 4_000, maxOutput: 100 };
    await expect(context.useModel(tiny)).rejects.toThrow('the window of tiny, 4000, got `5000`');
  });
});
