/** Name of a field that people neither see nor fill in, in forms that lead to a mail: a filled one is a robot's. */
export const HONEYPOT = "website"
