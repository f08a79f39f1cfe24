/** The audit policy that `podgraft loops` needs: successful writes with their objects, without secrets and high-volume resources. */
export const AUDIT_POLICY = `# For podgraft loops: kube-apiserver --audit-policy-file=audit-policy.yaml --audit-log-path=audit.log
# It logs whole objects, so keep the log as safe as etcd, and use it only while you look for loops.
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
omitManagedFields: true
rules:
  # Never log the content of these.
  - level: None
    resources:
      - group: ""
        resources: [secrets, configmaps, serviceaccounts/token]
      - group: authentication.k8s.io
      - group: authorization.k8s.io
  # Heartbeats and events change all the time, without conflicts.
  - level: None
    resources:
      - group: coordination.k8s.io
        resources: [leases]
      - group: ""
        resources: [events]
      - group: events.k8s.io
  - level: RequestResponse
    verbs: [create, update, patch]
  - level: None
`;
