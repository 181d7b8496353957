import { MINUTE } from "../calendar"

/** How long a paid order may wait for its service before the operator is told. */
export const PROVISIONED_WITHIN = 5 * MINUTE
/** How long a gateway may fail before it counts as down. */
export const GATEWAY_UP_WITHIN = 10 * MINUTE
/** How long messages may wait for a mail server before the operator is told. */
export const MAIL_SENT_WITHIN = 15 * MINUTE
