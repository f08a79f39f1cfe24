/** Shown by `--help`, by command. */
export const EXAMPLES: { readonly [command: string]: readonly string[] } = {
  serve: ['serve --self-signed', 'serve --tls-dir /etc/podgraft/tls --config podgraft.yaml'],
  inject: [
    'inject -f deployment.yaml',
    'inject -f manifests/ -o diff',
    'inject -f - --cluster cluster/ < rendered.yaml',
  ],
  explain: ['explain -f pod.yaml', 'explain -f manifests/ --changed --injector istio'],
  playground: [
    'playground',
    'playground --config podgraft.yaml --cluster cluster/',
    'playground --control-plane auto',
  ],
  audit: ['audit', 'audit --context prod -n shop -o html > audit.html'],
  lint: ['lint webhooks.yaml', 'lint --context prod', 'lint deploy/ --fail-on warning -o github'],
  verify: [
    'verify webhooks.yaml',
    'verify webhooks.yaml --url labels.example.com=https://localhost:8443 -f pod.yaml',
    'verify --context staging -o html > verify.html',
  ],
  loops: ['loops audit.log', 'loops --policy > audit-policy.yaml'],
  manifests: ['manifests | kubectl apply -f -', 'manifests --validate --fail-closed'],
  test: ['test cases', 'test cases --update'],
  init: ['init', 'init --injector overlay --injector istio'],
  completion: ['completion bash > /etc/bash_completion.d/podgraft', 'completion fish | source'],
};
