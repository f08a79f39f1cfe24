// Answers the reviews of a row of the benchmark, in this process: `node answer-reviews.mjs BUILD ROW REVIEWS`. The same number
// warms up first. Two objects whose members show up in V8's log of hidden classes mark the start and the end. Then come two more
// measurements of the bytes that are kept.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapSpaceStatistics } from 'node:v8';
import { reviewsOf } from '../../bench/pods.mjs';

const [build, folder, count] = process.argv.slice(2);
const { loadConfig } = await import(`${build}/config/load-config.js`);
const { answerReview } = await import(`${build}/admission/answer-review.js`);
const { filesView } = await import(`${build}/cluster/views/files-view.js`);
const { parseManifests } = await import(`${build}/files/read-manifests.js`);

const row = JSON.parse(readFileSync(join(folder, 'row.json'), 'utf8'));
const objects = clusterTexts().flatMap((text) => parseManifests(text, 'cluster'));
const cluster = filesView(objects);
const { pipeline } = await loadConfig(join(folder, 'podgraft.yaml'), objects);
// Like the server: injectors may make calls.
const options = { pipeline, cluster, call: async () => [], onStage: () => {} };
const bodies = reviewsOf({ ...row, folder }).map((body) => Buffer.from(body));

answer();
const marks = [{ BEGIN_OF_MEASUREMENT: true }];
const kept = [keptBytes()];
marks.push({ END_OF_MEASUREMENT: true });
kept.push(keptBytes(), keptBytes());
console.log(JSON.stringify({ kept }));

function keptBytes() {
  const before = oldSpace();
  answer();
  return oldSpace() - before;
}

function answer() {
  for (let index = 0; index < count; index++) answerReview(bodies[index % bodies.length], options);
}

function clusterTexts() {
  const own = join(folder, 'cluster');
  const texts = existsSync(own) ? readdirSync(own).map((name) => readFileSync(join(own, name), 'utf8')) : [];
  if (row.clusterScript === undefined) return texts;
  const script = [join(folder, row.clusterScript), ...(row.clusterArguments ?? [])];
  const made = execFileSync(process.execPath, script, { maxBuffer: 1 << 30, encoding: 'utf8' });
  return [...texts, made];
}

/** Bytes of objects that have survived two collections. */
function oldSpace() {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size;
}
