/** Names of the two declarations of a buyer whose order starts at once. */
export const CONSENT = "consent"
export const ACKNOWLEDGEMENT = "acknowledgement"
