// Names of hidden fields that the browser's own script, too, reads or writes: without zod.

/** The e-mail that its buyer keeps, although the page has said that mail to it comes back. */
export const KEPT_EMAIL = "keptEmail"

/** A promo code that the page has said is not used: the next order goes without it. */
export const REFUSED_CODE = "refused"

/** In the order form: the steps that its page has told the server of already. */
export const COUNTED_STEPS = "counted"

/** In the order form: its page took the applied promo code off the price. */
export const DISCOUNTED = "discounted"
