import { type GoType, goType } from './go-type.ts';
import { volume } from './volume-types.ts';

/** Kubernetes' Pod types in Go's field order, as deep as templates look. What is deeper is plain data. */
const ownerReference = goType(
  'v1.OwnerReference',
  'apiVersion/APIVersion:string! kind:string! name:string! uid/UID:string! controller:* blockOwnerDeletion:*',
);

export const objectMeta = goType(
  'v1.ObjectMeta',
  `name:string generateName:string namespace:string selfLink:string uid/UID:string resourceVersion:string generation:int64
  creationTimestamp:any deletionTimestamp:any deletionGracePeriodSeconds:* labels:stringMap annotations:stringMap
  ownerReferences:[]OwnerReference finalizers:strings managedFields:any`,
  { OwnerReference: ownerReference },
);

export const containerPort = goType(
  'v1.ContainerPort',
  'name:string hostPort:int32 containerPort:int32! protocol:string hostIP:string',
);

const objectFieldSelector = goType(
  'v1.ObjectFieldSelector',
  'apiVersion/APIVersion:string fieldPath:string!',
);
const keySelector = (name: string) => goType(name, 'name:string key:string! optional:*');
const resourceFieldSelector = goType(
  'v1.ResourceFieldSelector',
  'containerName:string resource:string! divisor:quantity!',
);
const envVarSource = goType(
  'v1.EnvVarSource',
  'fieldRef:*Field resourceFieldRef:*Resource configMapKeyRef:*ConfigMap secretKeyRef:*Secret fileKeyRef:*File',
  {
    File: goType('v1.FileKeySelector', 'volumeName:string! path:string! key:string! optional:*'),
    Field: objectFieldSelector,
    Resource: resourceFieldSelector,
    ConfigMap: keySelector('v1.ConfigMapKeySelector'),
    Secret: keySelector('v1.SecretKeySelector'),
  },
);
const envVar = goType('v1.EnvVar', 'name:string! value:string valueFrom:*Source', { Source: envVarSource });
const envFrom = goType('v1.EnvFromSource', 'prefix:string configMapRef:*ConfigMap secretRef:*Secret', {
  ConfigMap: goType('v1.ConfigMapEnvSource', 'name:string optional:*'),
  Secret: goType('v1.SecretEnvSource', 'name:string optional:*'),
});

/** What a probe or a hook does that the proxy's agent can do instead. */
export const actions = {
  httpGet: goType(
    'v1.HTTPGetAction',
    'path:string port:any! host:string scheme:string httpHeaders/HTTPHeaders:[]Header',
    { Header: goType('v1.HTTPHeader', 'name:string! value:string!') },
  ),
  tcpSocket: goType('v1.TCPSocketAction', 'port:any! host:string'),
  grpc: goType('v1.GRPCAction', 'port:int32! service:*!'),
} as const;
const handlers: Readonly<Record<string, GoType>> = {
  Exec: goType('v1.ExecAction', 'command:strings'),
  HTTPGet: actions.httpGet,
  TCPSocket: actions.tcpSocket,
  GRPC: actions.grpc,
  Sleep: goType('v1.SleepAction', 'seconds:int64!'),
};
const probe = goType(
  'v1.Probe',
  `exec:*Exec httpGet/HTTPGet:*HTTPGet tcpSocket/TCPSocket:*TCPSocket grpc/GRPC:*GRPC initialDelaySeconds:int32
  timeoutSeconds:int32 periodSeconds:int32 successThreshold:int32 failureThreshold:int32 terminationGracePeriodSeconds:*`,
  handlers,
);
const lifecycleHandler = goType(
  'v1.LifecycleHandler',
  'exec:*Exec httpGet/HTTPGet:*HTTPGet tcpSocket/TCPSocket:*TCPSocket sleep:*Sleep',
  handlers,
);
const lifecycle = goType('v1.Lifecycle', 'postStart:*Handler preStop:*Handler stopSignal:*', {
  Handler: lifecycleHandler,
});

const profiles: Readonly<Record<string, GoType>> = {
  SELinux: goType('v1.SELinuxOptions', 'user:string role:string type:string level:string'),
  Windows: goType(
    'v1.WindowsSecurityContextOptions',
    `gmsaCredentialSpecName/GMSACredentialSpecName:* gmsaCredentialSpec/GMSACredentialSpec:* runAsUserName:*
    hostProcess:*`,
  ),
  Seccomp: goType('v1.SeccompProfile', 'type:string! localhostProfile:*'),
  AppArmor: goType('v1.AppArmorProfile', 'type:string! localhostProfile:*'),
};
const securityContext = goType(
  'v1.SecurityContext',
  `capabilities:*Capabilities privileged:* seLinuxOptions/SELinuxOptions:*SELinux windowsOptions:*Windows runAsUser:*
  runAsGroup:* runAsNonRoot:* readOnlyRootFilesystem:* allowPrivilegeEscalation:* procMount:* seccompProfile:*Seccomp
  appArmorProfile:*AppArmor`,
  { ...profiles, Capabilities: goType('v1.Capabilities', 'add:strings drop:strings') },
);
const volumeMount = goType(
  'v1.VolumeMount',
  'name:string! readOnly:bool recursiveReadOnly:* mountPath:string! subPath:string mountPropagation:* subPathExpr:string',
);
const resources = goType('v1.ResourceRequirements', 'limits:quantities requests:quantities claims:[]Claim', {
  Claim: goType('v1.ResourceClaim', 'name:string! request:string'),
});
const restartRule = goType('v1.ContainerRestartRule', 'action:string exitCodes:*Codes', {
  Codes: goType('v1.ContainerRestartRuleOnExitCodes', 'operator:string values:any'),
});

export const container = goType(
  'v1.Container',
  `name:string! image:string command:strings args:strings workingDir:string ports:[]Port envFrom:[]EnvFrom env:[]Env
  resources:Resources! resizePolicy:[]Resize restartPolicy:* restartPolicyRules:[]Rule volumeMounts:[]Mount volumeDevices:[]Device
  livenessProbe:*Probe readinessProbe:*Probe startupProbe:*Probe lifecycle:*Lifecycle terminationMessagePath:string
  terminationMessagePolicy:string imagePullPolicy:string securityContext:*SecurityContext stdin:bool stdinOnce:bool
  tty/TTY:bool`,
  {
    Port: containerPort,
    Env: envVar,
    EnvFrom: envFrom,
    Resources: resources,
    Resize: goType('v1.ContainerResizePolicy', 'resourceName:string! restartPolicy:string!'),
    Rule: restartRule,
    Mount: volumeMount,
    Device: goType('v1.VolumeDevice', 'name:string! devicePath:string!'),
    Probe: probe,
    Lifecycle: lifecycle,
    SecurityContext: securityContext,
  },
);

const podSecurityContext = goType(
  'v1.PodSecurityContext',
  `seLinuxOptions/SELinuxOptions:*SELinux windowsOptions:*Windows runAsUser:* runAsGroup:* runAsNonRoot:*
  supplementalGroups:any supplementalGroupsPolicy:* fsGroup/FSGroup:* sysctls:[]Sysctl
  fsGroupChangePolicy/FSGroupChangePolicy:* seccompProfile:*Seccomp appArmorProfile:*AppArmor
  seLinuxChangePolicy/SELinuxChangePolicy:*`,
  { ...profiles, Sysctl: goType('v1.Sysctl', 'name:string! value:string!') },
);

export const podSpec = goType(
  'v1.PodSpec',
  `volumes:[]Volume initContainers:[]Container containers:[]Container ephemeralContainers:any restartPolicy:string
  terminationGracePeriodSeconds:* activeDeadlineSeconds:* dnsPolicy/DNSPolicy:string nodeSelector:stringMap
  serviceAccountName:string serviceAccount/DeprecatedServiceAccount:string automountServiceAccountToken:* nodeName:string
  hostNetwork:bool hostPID:bool hostIPC:bool shareProcessNamespace:* securityContext:*PodSecurityContext
  imagePullSecrets:[]Secret hostname:string subdomain:string affinity:any schedulerName:string tolerations:[]Toleration
  hostAliases:any priorityClassName:string priority:* dnsConfig/DNSConfig:*DNSConfig readinessGates:any runtimeClassName:*
  enableServiceLinks:* preemptionPolicy:* overhead:any topologySpreadConstraints:any setHostnameAsFQDN:* os/OS:any
  hostUsers:* schedulingGates:any resourceClaims:any resources:*Resources`,
  {
    Volume: volume,
    Resources: resources,
    Toleration: goType(
      'v1.Toleration',
      'key:string operator:string value:string effect:string tolerationSeconds:*',
    ),
    DNSConfig: goType('v1.PodDNSConfig', 'nameservers:strings searches:strings options:[]Option', {
      Option: goType('v1.PodDNSConfigOption', 'name:string value:*'),
    }),
    Container: container,
    PodSecurityContext: podSecurityContext,
    Secret: goType('v1.LocalObjectReference', 'name:string'),
  },
);
