import { answerReview } from '../dist/admission/answer-review.js';
import { admit } from '../dist/chain/index.js';
import { filesView } from '../dist/cluster/views/files-view.js';
import { parseConfigText } from '../dist/config/load-config.js';

const WEBHOOKS = 5;
const RUNS = 300;
const TURNS = 9;
/** `admit` is fully compiled after some 3,000 runs: until then each costs up to four times as much. */
const WARM_UP = 12;
const AT_MOST = 3;
const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };

/** One request through the model of the admission phase, in multiples of the webhooks' own work. Returns missed targets. */
export async function chainTable() {
  const webhooks = await Promise.all(Array.from({ length: WEBHOOKS }, (_, index) => podgraft(index)));
  const configurations = webhooks.map(({ configuration }) => configuration);
  const call = async ({ name }, review) => webhooks[Number(name[1])].answer(JSON.stringify(review));
  const options = { configurations, call };
  const outcome = await admit({ object: pod }, options);
  if (!outcome.allowed) throw new Error(JSON.stringify(outcome.status));
  const reviews = outcome.trace.flatMap((step) =>
    step.call ? [{ name: step.webhook, review: step.call.review }] : [],
  );
  const work = {
    whole: () => admit({ object: pod }, options),
    calls: async () => {
      for (const { name, review } of reviews) await call({ name }, review);
    },
  };
  const ratios = [];
  const cost = { whole: [], calls: [] };
  // In turn and by CPU time, so that other load affects neither.
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    const [whole, calls] = [await cpuTime(work.whole), await cpuTime(work.calls)];
    if (turn < WARM_UP) continue;
    cost.whole.push(whole);
    cost.calls.push(calls);
    ratios.push(whole / calls);
  }
  const [whole, calls, ratio] = [cost.whole, cost.calls, ratios].map(median);
  console.log(
    `\nadmission phase with ${WEBHOOKS} webhooks: ${whole.toFixed(0)} µs, their calls alone ${calls.toFixed(0)} µs, ratio ${ratio.toFixed(1)} (at most ${AT_MOST})`,
  );
  return ratio > AT_MOST ? [`one admit costs ${ratio.toFixed(1)} times the calls of its webhooks`] : [];
}

/** Podgraft as a webhook in this process, with the five injectors' work of one annotation each. */
async function podgraft(index) {
  const text = [
    'apiVersion: podgraft.dev/v1alpha1',
    'kind: Config',
    'injectors:',
    ...Array.from({ length: 5 }, (_, injector) => [
      `  - name: stamp-${injector}`,
      '    use: metadata',
      `    with: {annotations: {example.com/stamp-${index}-${injector}: "1"}}`,
    ]).flat(),
  ].join('\n');
  const { pipeline } = await parseConfigText(text, 'bench');
  const cluster = filesView([]);
  return {
    answer: async (body) => ({
      status: 200,
      body: (await answerReview(Buffer.from(body), { pipeline, cluster })).body,
    }),
    configuration: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: `webhook-${index}` },
      webhooks: [
        {
          name: `w${index}.example.com`,
          clientConfig: { url: 'https://localhost/mutate' },
          rules: [RULE],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  };
}

const env = Array.from({ length: 10 }, (_, index) => ({ name: `VARIABLE_${index}`, value: 'x' }));
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } },
  spec: { containers: ['app', 'log', 'proxy'].map((name) => ({ name, image: `${name}:1`, env })) },
};

/** Microseconds of one run. */
async function cpuTime(run) {
  const before = process.cpuUsage();
  for (let count = 0; count < RUNS; count++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RUNS;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
