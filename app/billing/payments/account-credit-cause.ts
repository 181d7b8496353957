/**
 * Cause of an account credit entry. `surplus`: overpayment, or a refund of it. `late`: payment after the order was no
 * longer payable. `left`: unapplied partial payment of an order that was cancelled, expired or flagged as fraud.
 * `topup`: the credit that a paid top-up has bought. `used`: credit paid an invoice. `returned`: the order of that invoice was
 * cancelled, expired or flagged as fraud, or refunded. `granted`: by an operator. `refunded`: for an order that was paid through a
 * gateway or outside them.
 */
export type AccountCreditCause =
  | "surplus"
  | "late"
  | "left"
  | "topup"
  | "used"
  | "returned"
  | "granted"
  | "refunded"
