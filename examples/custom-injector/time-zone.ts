import { annotationsOf, defineInjector, overlay, skip } from 'podgraft';

interface Settings {
  annotation: string;
}

/** Sets TZ in every container of a Pod with the annotation. */
export const timeZone = defineInjector<Settings>({
  name: 'time-zone',
  summary: 'Sets TZ from an annotation',
  match: { kinds: ['Pod'] },
  config: (raw) => ({ annotation: 'example.com/time-zone', ...(raw as Partial<Settings>) }),
  inject(pod, { config }) {
    const zone = annotationsOf(pod)[config.annotation];
    if (zone === undefined) return skip(`no annotation "${config.annotation}"`);
    const env = [{ name: 'TZ', value: zone }];
    return overlay({ spec: { containers: pod.spec.containers.map(({ name }) => ({ name, env })) } });
  },
});
