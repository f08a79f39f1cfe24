/**
 * Facts about the Go structs of a Pod that OpenAPI lacks (k8s.io/api/core/v1, apimachinery/meta/v1). Reviewed by hand;
 * everything else is generated, and generating fails when a struct has other fields than OpenAPI.
 *
 * Fields in the order of Go, which is the order of its JSON. `*` marks a pointer to a scalar, `!` a field that is optional and
 * written even if it is empty, `?` a required one that is omitted if it is empty. Structs that are not listed are plain data
 * to templates.
 */
export const goStructs = {
  ObjectMeta: `name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp
    deletionGracePeriodSeconds* labels annotations ownerReferences finalizers managedFields`,
  OwnerReference: 'apiVersion kind name uid controller* blockOwnerDeletion*',
  PodSpec: `volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds*
    activeDeadlineSeconds* dnsPolicy nodeSelector serviceAccountName serviceAccount automountServiceAccountToken* nodeName
    hostNetwork hostPID hostIPC shareProcessNamespace* securityContext imagePullSecrets hostname subdomain affinity
    schedulerName tolerations hostAliases priorityClassName priority* dnsConfig readinessGates runtimeClassName*
    enableServiceLinks* preemptionPolicy* overhead topologySpreadConstraints setHostnameAsFQDN* os hostUsers*
    schedulingGates resourceClaims resources hostnameOverride* schedulingGroup`,
  Container: `name image command args workingDir ports envFrom env resources resizePolicy restartPolicy*
    restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle
    terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty`,
  ContainerPort: 'name hostPort containerPort protocol hostIP',
  EnvFromSource: 'prefix configMapRef secretRef',
  ConfigMapEnvSource: 'name optional*',
  SecretEnvSource: 'name optional*',
  EnvVar: 'name value valueFrom',
  EnvVarSource: 'fieldRef resourceFieldRef configMapKeyRef secretKeyRef fileKeyRef',
  ObjectFieldSelector: 'apiVersion fieldPath',
  ResourceFieldSelector: 'containerName resource divisor!',
  ConfigMapKeySelector: 'name key optional*',
  SecretKeySelector: 'name key optional*',
  FileKeySelector: 'volumeName path key optional*',
  ResourceRequirements: 'limits requests claims',
  ResourceClaim: 'name request',
  ContainerResizePolicy: 'resourceName restartPolicy',
  ContainerRestartRule: 'action? exitCodes',
  ContainerRestartRuleOnExitCodes: 'operator? values',
  VolumeMount: 'name readOnly recursiveReadOnly* mountPath subPath mountPropagation* subPathExpr',
  VolumeDevice: 'name devicePath',
  Probe: `exec httpGet tcpSocket grpc initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold
    terminationGracePeriodSeconds*`,
  Lifecycle: 'postStart preStop stopSignal*',
  LifecycleHandler: 'exec httpGet tcpSocket sleep',
  ExecAction: 'command',
  HTTPGetAction: 'path port host scheme httpHeaders',
  HTTPHeader: 'name value',
  TCPSocketAction: 'port host',
  GRPCAction: 'port service*!',
  SleepAction: 'seconds',
  SecurityContext: `capabilities privileged* seLinuxOptions windowsOptions runAsUser* runAsGroup* runAsNonRoot*
    readOnlyRootFilesystem* allowPrivilegeEscalation* procMount* seccompProfile appArmorProfile`,
  Capabilities: 'add drop',
  SELinuxOptions: 'user role type level',
  WindowsSecurityContextOptions: 'gmsaCredentialSpecName* gmsaCredentialSpec* runAsUserName* hostProcess*',
  SeccompProfile: 'type localhostProfile*',
  AppArmorProfile: 'type localhostProfile*',
  PodSecurityContext: `seLinuxOptions windowsOptions runAsUser* runAsGroup* runAsNonRoot* supplementalGroups
    supplementalGroupsPolicy* fsGroup* sysctls fsGroupChangePolicy* seccompProfile appArmorProfile seLinuxChangePolicy*`,
  Sysctl: 'name value',
  LocalObjectReference: 'name',
  Toleration: 'key operator value effect tolerationSeconds*',
  PodDNSConfig: 'nameservers searches options',
  PodDNSConfigOption: 'name value*',
  // A volume's source is embedded in the volume.
  Volume: `name hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs
    persistentVolumeClaim rbd flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume quobyte
    azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos csi ephemeral image`,
  HostPathVolumeSource: 'path type*',
  EmptyDirVolumeSource: 'medium sizeLimit',
  SecretVolumeSource: 'secretName items defaultMode* optional*',
  ConfigMapVolumeSource: 'name items defaultMode* optional*',
  KeyToPath: 'key path mode*',
  NFSVolumeSource: 'server path readOnly',
  PersistentVolumeClaimVolumeSource: 'claimName readOnly',
  ProjectedVolumeSource: 'sources! defaultMode*',
  CSIVolumeSource: 'driver readOnly* fsType* volumeAttributes nodePublishSecretRef',
  ImageVolumeSource: 'reference pullPolicy',
};

/** Go names that are not the JSON name with a capital letter. */
export const goNames = {
  apiVersion: 'APIVersion',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  cephfs: 'CephFS',
  csi: 'CSI',
  dnsConfig: 'DNSConfig',
  dnsPolicy: 'DNSPolicy',
  fc: 'FC',
  fsGroup: 'FSGroup',
  fsGroupChangePolicy: 'FSGroupChangePolicy',
  fsType: 'FSType',
  gcePersistentDisk: 'GCEPersistentDisk',
  gmsaCredentialSpec: 'GMSACredentialSpec',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  grpc: 'GRPC',
  httpGet: 'HTTPGet',
  httpHeaders: 'HTTPHeaders',
  iscsi: 'ISCSI',
  nfs: 'NFS',
  os: 'OS',
  rbd: 'RBD',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxOptions: 'SELinuxOptions',
  serviceAccount: 'DeprecatedServiceAccount',
  storageos: 'StorageOS',
  tcpSocket: 'TCPSocket',
  tty: 'TTY',
  uid: 'UID',
};
