import type { Diagnostic } from "~/billing/diagnostic"
import type { FormFields } from "~/http/form-client.server"
import { AnyResponse } from "../client/api.server"
import { WhmcsAccessError, WhmcsError } from "../client/errors"
import type { Whmcs } from "../context.server"

/** No WHMCS record has the id 0, so WHMCS rejects an allowed action before it changes anything. */
const NOBODY = 0

const order = { orderid: NOBODY }
const service = { serviceid: NOBODY }
const invoice = { invoiceid: NOBODY }

/** Every action that the checkout needs, with parameters that test the permission without an effect. */
const needed: readonly [string, FormFields][] = [
  ["GetProducts", { pid: NOBODY }],
  ["GetPromotions", { code: "-" }],
  ["GetPaymentMethods", {}],
  ["GetCurrencies", {}],
  ["GetClientsDetails", { clientid: NOBODY }],
  ["GetClientsProducts", { clientid: NOBODY, serviceid: NOBODY, limitnum: 1 }],
  ["GetOrders", { id: NOBODY, userid: NOBODY, limitnum: 1 }],
  ["GetInvoice", invoice],
  ["GetInvoices", { userid: NOBODY, limitnum: 1 }],
  ["GetTransactions", { invoiceid: NOBODY, transid: "-" }],
  ["AddClient", {}],
  ["ValidateLogin", {}],
  ["AddOrder", { clientid: NOBODY }],
  ["AcceptOrder", order],
  ["CancelOrder", order],
  ["PendingOrder", order],
  ["FraudOrder", order],
  ["CreateInvoice", { userid: NOBODY }],
  ["UpdateInvoice", invoice],
  ["AddInvoicePayment", invoice],
  ["AddTransaction", {}],
  ["UpdateClientProduct", service],
  ["UpgradeProduct", service],
  ["ModuleCreate", service],
  ["ModuleTerminate", service],
  ["ModuleChangePackage", service],
]

/** Checks that the roles of the API credential allow every needed action. */
export async function permissionDiagnostics(whmcs: Whmcs): Promise<readonly Diagnostic[]> {
  const forbidden: string[] = []
  for (const [action, params] of wanted(whmcs)) {
    if (!(await isAllowed(whmcs, action, params))) forbidden.push(action)
  }
  const check = "permissions"
  if (forbidden.length === 0) return [{ ok: true, check, message: "all actions allowed" }]
  return [{ ok: false, check, message: `add to the API role: ${forbidden.join(", ")}` }]
}

function wanted({ settings }: Whmcs): readonly [string, FormFields][] {
  const { restart, pushMac } = settings
  const runsFunctions = restart !== "recreate" || !["change-package", "none"].includes(pushMac)
  return runsFunctions ? [...needed, ["ModuleCustom", { ...service, func_name: "-" }]] : needed
}

async function isAllowed({ api }: Whmcs, action: string, params: FormFields): Promise<boolean> {
  try {
    await api.write(action, params, AnyResponse)
    return true
  } catch (error) {
    if (error instanceof WhmcsError) return true
    if (error instanceof WhmcsAccessError && error.fault === "permission") return false
    throw error
  }
}
