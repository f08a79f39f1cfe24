// Prints the cluster of this row: a namespace with 10,000 ServiceAccounts, every one with a role.
const count = 10_000;
console.log('apiVersion: v1\nkind: Namespace\nmetadata: { name: billing }');
for (let index = 0; index < count; index++) {
  console.log(`---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: invoices-${index}
  namespace: billing
  annotations: { eks.amazonaws.com/role-arn: "arn:aws:iam::444455556666:role/invoices-${index}" }`);
}
