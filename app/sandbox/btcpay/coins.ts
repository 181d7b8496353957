import { createHash } from "node:crypto"
import { SECOND } from "~/domain/calendar"
import { withPlaces } from "~/domain/money/decimal"
import type { SandboxPayment } from "../payment"

type Method = {
  /** Price of a cent in units of 10^-8 coin. */
  readonly perHundredth: number
  /** The resulting value of one coin, the same in every currency. */
  readonly rate: string
  readonly address: (digits: string) => string
  readonly link: (address: string, amount: string) => string
}

const bitcoin = { perHundredth: 20, rate: "50000.00" }

const methods = {
  "BTC-CHAIN": {
    ...bitcoin,
    address: (digits) => `bcrt1q${digits.slice(0, 38)}`,
    link: (address, amount) => `bitcoin:${address}?amount=${amount}`,
  },
  "BTC-LN": {
    ...bitcoin,
    address: (digits) => `lnbcrt${digits}`,
    link: (address) => `lightning:${address}`,
  },
  "LTC-CHAIN": {
    perHundredth: 10_000,
    rate: "100.00",
    address: (digits) => `rltc1q${digits.slice(0, 38)}`,
    link: (address, amount) => `litecoin:${address}?amount=${amount}`,
  },
} as const satisfies Record<string, Method>

type MethodName = keyof typeof methods

/** The store's payment methods, in display order. */
export const methodNames = Object.keys(methods) as [MethodName, ...MethodName[]]

/** Payment methods of an invoice in BTCPay's format. The received amount is attributed to the first method. */
export function methodsJson(payment: SandboxPayment) {
  const names = methodNames.filter((name) => payment.details.methods?.includes(name))
  return names.map((name, index) => methodJson(payment, name, index === 0))
}

function methodJson(
  { id, details, status, received, transactionId }: SandboxPayment,
  name: MethodName,
  isUsed: boolean,
) {
  const { perHundredth, rate, address, link }: Method = methods[name]
  const destination = address(createHash("sha256").update(`${id} ${name}`).digest("hex"))
  const coins = (minor: number) => withPlaces(BigInt(minor * perHundredth), 8)
  const due = coins(details.amount.minor - received.minor)
  const payment = {
    id: transactionId,
    receivedDate: Math.floor((details.openedAt ?? 0) / SECOND),
    value: coins(received.minor),
    fee: "0",
    status: status === "processing" ? "Processing" : "Settled",
    destination,
  }
  const payments = isUsed && received.minor > 0 ? [payment] : []
  return {
    paymentMethodId: name,
    currency: name.split("-", 1)[0],
    activated: true,
    destination,
    paymentLink: link(destination, due),
    rate,
    due,
    amount: coins(details.amount.minor),
    totalPaid: coins(received.minor),
    paymentMethodPaid: payments[0]?.value ?? "0",
    paymentMethodFee: "0",
    payments,
  }
}
