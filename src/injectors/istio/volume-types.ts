import { goType } from './go-type.ts';

const keyToPath = goType('v1.KeyToPath', 'key:string! path:string! mode:*');
const reference = goType('v1.LocalObjectReference', 'name:string');

/** A volume's sources, which Go writes inline. Those that no Pod of a mesh is likely to have are plain data. */
export const volume = goType(
  'v1.Volume',
  `name:string! hostPath:*HostPath emptyDir:*EmptyDir gcePersistentDisk/GCEPersistentDisk:any
  awsElasticBlockStore/AWSElasticBlockStore:any gitRepo:any secret:*Secret nfs/NFS:*NFS iscsi/ISCSI:any glusterfs:any
  persistentVolumeClaim:*Claim rbd/RBD:any flexVolume:any cinder:any cephfs/CephFS:any flocker:any downwardAPI:any
  fc/FC:any azureFile:any configMap:*ConfigMap vsphereVolume:any quobyte:any azureDisk:any photonPersistentDisk:any
  projected:*Projected portworxVolume:any scaleIO:any storageos/StorageOS:any csi/CSI:*CSI ephemeral:any image:*Image`,
  {
    HostPath: goType('v1.HostPathVolumeSource', 'path:string! type:*'),
    EmptyDir: goType('v1.EmptyDirVolumeSource', 'medium:string sizeLimit:any'),
    Secret: goType('v1.SecretVolumeSource', 'secretName:string items:[]Item defaultMode:* optional:*', {
      Item: keyToPath,
    }),
    NFS: goType('v1.NFSVolumeSource', 'server:string! path:string! readOnly:bool'),
    Claim: goType('v1.PersistentVolumeClaimVolumeSource', 'claimName:string! readOnly:bool'),
    ConfigMap: goType('v1.ConfigMapVolumeSource', 'name:string items:[]Item defaultMode:* optional:*', {
      Item: keyToPath,
    }),
    Projected: goType('v1.ProjectedVolumeSource', 'sources:any defaultMode:*'),
    CSI: goType(
      'v1.CSIVolumeSource',
      'driver:string! readOnly:* fsType/FSType:* volumeAttributes:stringMap nodePublishSecretRef:*Reference',
      { Reference: reference },
    ),
    Image: goType('v1.ImageVolumeSource', 'reference:string pullPolicy:string'),
  },
);
