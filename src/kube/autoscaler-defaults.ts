import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import { fillAbsent, fillMember } from './fill.ts';

/** An `autoscaling/v1` HorizontalPodAutoscaler with the API server's defaults: other metrics than the CPU's are in an annotation. */
export function oldAutoscalerDefaults(autoscaler: JsonObject): JsonObject {
  const { metadata } = autoscaler;
  const annotations = isJsonObject(metadata) ? metadata.annotations : undefined;
  const hasOthers = isJsonObject(annotations) && Object.hasOwn(annotations, METRICS);
  return fillMember(autoscaler, 'spec', (spec) =>
    fillAbsent(spec, { minReplicas: 1, ...(!hasOthers && { targetCPUUtilizationPercentage: 80 }) }),
  );
}

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';

/** An `autoscaling/v2` HorizontalPodAutoscaler with the API server's defaults. */
export function autoscalerDefaults(autoscaler: JsonObject): JsonObject {
  return fillMember(autoscaler, 'spec', (spec) => {
    const hasMetrics = isJsonArray(spec.metrics) && spec.metrics.length > 0;
    const measured = hasMetrics ? spec : { ...spec, metrics: [CPU] };
    // Rules are completed if the user has written any.
    return fillMember(fillAbsent(measured, { minReplicas: 1 }), 'behavior', (behavior) => {
      const both = fillAbsent(behavior, { scaleUp: {}, scaleDown: {} });
      const up = fillMember(both, 'scaleUp', (rules) => fillAbsent(rules, SCALE_UP));
      return fillMember(up, 'scaleDown', (rules) => fillAbsent(rules, SCALE_DOWN));
    });
  });
}

const CPU: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
const SCALE_UP: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN: JsonObject = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};
