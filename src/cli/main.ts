#!/usr/bin/env node
import { run } from './program.ts';
import { realWorld } from './world.ts';

process.exitCode = await run(process.argv.slice(2), realWorld());
