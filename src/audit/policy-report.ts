import type { KubeObject } from '../kube/kube-object.ts';
import type { Finding } from './finding.ts';

/** One PolicyReport (wgpolicyk8s.io/v1alpha2) per namespace, as other policy tools write them. */
export function policyReports(findings: readonly Finding[], now: Date): KubeObject[] {
  const namespaces = new Set(findings.map(({ namespace }) => namespace));
  return [...namespaces].map((namespace) =>
    policyReport(
      namespace,
      findings.filter((finding) => finding.namespace === namespace),
      now,
    ),
  );
}

export function policyReport(namespace: string, findings: readonly Finding[], now: Date): KubeObject {
  const report = {
    apiVersion: 'wgpolicyk8s.io/v1alpha2',
    kind: 'PolicyReport',
    metadata: { name: 'podgraft', namespace, labels: { 'app.kubernetes.io/managed-by': 'podgraft' } },
    summary: { pass: 0, fail: findings.length, warn: 0, error: 0, skip: 0 },
    results: findings.map((finding) => ({
      source: 'podgraft',
      policy: finding.injector,
      rule: 'injected',
      result: 'fail',
      severity: 'medium',
      message: missingText(finding),
      resources: [{ ...finding.workload, namespace }],
      timestamp: { seconds: Math.floor(now.getTime() / 1000), nanos: 0 },
    })),
  };
  return report as unknown as KubeObject;
}

/** A finding in one line, without its workload and injector. */
export function missingText({ podCount, reason, paths }: Finding): string {
  return `${podCount} running Pod${podCount === 1 ? '' : 's'} not injected: ${reason}. Missing: ${paths.join(', ')}`;
}
