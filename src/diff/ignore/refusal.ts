/** Why a text is no path. Leaves the recursion that reads it, and never this folder. */
export class Refusal extends Error {}
