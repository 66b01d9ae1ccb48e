/** For pods that a test waits for: a fake kubelet takes any image, and a real one wants one that is there. All else has an image of nobody's. */
export const startableImage = 'registry.k8s.io/pause:3.10';
