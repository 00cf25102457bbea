#!/usr/bin/env node
import { complaintAbout } from './node-version.ts';

// Everything else is loaded only after this check: an older Node would fail on it with an error nobody understands.
const complaint = complaintAbout(process.versions.node);
if (complaint === null) {
  const { start } = await import('./start.ts');
  process.exitCode = await start(process.argv.slice(2));
} else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 2;
}
