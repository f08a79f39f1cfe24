/** The configuration of the README's first example, which most tests use. */
export const STAMP = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: stamp
    use: metadata
    with: {annotations: {injected-by: my-webhook}}
`;
