import {
  isLess,
  type Json,
  type JsonObject,
  matchesNamePattern,
  sameJson,
  shortened,
} from '../../../sdk/index.ts';
import type { TemplateNames } from '../merge/merge-templates.ts';
import { asObject, containersOf, named } from '../pod-json.ts';
import type { Settings } from '../settings.ts';

type Guardrails = Pick<Settings, 'allowedImages' | 'maxResources' | 'allowOverrides'>;

export interface InjectedContainers {
  /** After the injection. */
  readonly pod: JsonObject;
  /** All templates, merged. */
  readonly template: JsonObject;
  readonly names: Omit<TemplateNames, 'text'>;
}

/** Why the settings forbid the Pod's changes to template containers; undefined if they allow them. */
export function guardrailProblem(injected: InjectedContainers, guardrails: Guardrails): string | undefined {
  const { allowedImages, maxResources, allowOverrides } = guardrails;
  const resources = Object.keys(maxResources);
  if (allowedImages.length === 0 && resources.length === 0 && allowOverrides) return undefined;
  for (const field of ['containers', 'initContainers'] as const) {
    const templates = containersOf(injected.template, field);
    for (const container of containersOf(injected.pod, field)) {
      const name = String(container.name);
      if (!injected.names[field].includes(name)) continue;
      const problem =
        imageProblem(container, allowedImages) ??
        resourceProblem(container, maxResources) ??
        (allowOverrides ? undefined : overrideProblem(container, named(templates, name) ?? {}));
      if (problem !== undefined) return `Cannot inject: ${problem} of container "${shortened(name)}"`;
    }
  }
  return undefined;
}

function imageProblem({ image }: JsonObject, allowed: readonly string[]): string | undefined {
  const text = String(image ?? '');
  const isAllowed = allowed.length === 0 || allowed.some((pattern) => matchesNamePattern(pattern, text));
  return isAllowed ? undefined : `setting "allowedImages" does not allow image "${shortened(text)}"`;
}

function resourceProblem(
  { resources }: JsonObject,
  most: Readonly<Record<string, string>>,
): string | undefined {
  for (const field of ['requests', 'limits']) {
    const amounts = asObject(asObject(resources)[field]);
    for (const resource of Object.keys(most)) {
      const amount = amounts[resource];
      const isAmount = typeof amount === 'string' || typeof amount === 'number';
      if (isAmount && isLess(most[resource], amount))
        return `setting "maxResources" allows at most ${most[resource]} of ${resource}, not the ${field} ${shortened(String(amount))}`;
    }
  }
  return undefined;
}

/** Fields that decide what runs with the privileges of the container. The API server and other webhooks rarely set them. */
const OWNED = [
  'image',
  'command',
  'args',
  'workingDir',
  'securityContext',
  'lifecycle',
  'envFrom',
  'volumeDevices',
];

/** Compares with the template instead of trusting the records of an earlier injection: a Pod's creator can write those. */
function overrideProblem(container: JsonObject, template: JsonObject): string | undefined {
  const value = (from: JsonObject, field: string): Json => from[field] ?? null;
  const field = OWNED.find((each) => !sameJson(value(container, each), value(template, each)));
  return field === undefined ? undefined : `setting "allowOverrides" is off, and the Pod changes ${field}`;
}
