#!/usr/bin/env node
import { complaintAbout } from './node-version.ts';

// Everything else loads only after this check, because an older Node would fail on it with an obscure error.
const complaint = complaintAbout(process.versions.node);
if (complaint === null) {
  const { start } = await import('./start.ts');
  process.exitCode = await start(process.argv.slice(2));
} else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 2;
}
