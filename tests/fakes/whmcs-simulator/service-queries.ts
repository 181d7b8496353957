import type { Option } from "./catalogue"
import { NO_DAY, NO_TIME } from "./clock"
import { type Action, type Installation, itemOf, page, SUCCESS } from "./installation"
import { decimal, text } from "./params"
import { groupName } from "./products"
import { List, type Value, type WhmcsResponse } from "./responses"
import type { Chosen, Service, ServiceCycle } from "./state"

const KINDS = { "1": "dropdown", "3": "yesno", "4": "quantity" } as const
const CYCLES: Record<ServiceCycle, string> = {
  onetime: "One Time",
  free: "Free Account",
  monthly: "Monthly",
  quarterly: "Quarterly",
  semiannually: "Semi-Annually",
  annually: "Annually",
  biennially: "Biennially",
  triennially: "Triennially",
}

/** The only server; all lines are on it. */
export const SERVER = { id: "1", name: "Panel", ip: "192.0.2.10", hostname: "panel.example.test" }

export const displayCycle = (cycle: ServiceCycle) => CYCLES[cycle]

export const getClientsProducts: Action = (installation, params) => {
  const matching = installation.state.services.filter((service) => matches(service, params))
  const { rows, start } = page(params, matching)
  const parameter = (name: string): Value => (params.has(name) ? text(params, name) : null)
  return {
    ...SUCCESS,
    clientid: parameter("clientid"),
    serviceid: parameter("serviceid"),
    pid: parameter("pid"),
    domain: parameter("domain"),
    totalresults: String(matching.length),
    startnumber: start,
    numreturned: rows.length,
    products: new List(
      "product",
      rows.map((service) => serviceRow(installation, service)),
    ),
  }
}

function matches(service: Service, params: Parameters<Action>[1]): boolean {
  const held = {
    clientid: service.clientId,
    serviceid: service.id,
    pid: service.pid,
    domain: service.domain,
    username2: service.username,
  }
  return Object.entries(held).every(([name, value]) => {
    const requested = text(params, name)
    return requested === "" || requested === String(value)
  })
}

function serviceRow(installation: Installation, service: Service): WhmcsResponse {
  const item = itemOf(installation, service.pid)
  const order = installation.state.orders.find(({ id }) => id === service.orderId)
  const server = service.hasServer ? SERVER : { id: "0", name: "", ip: "", hostname: "" }
  return {
    id: String(service.id),
    qty: "1",
    clientid: String(service.clientId),
    orderid: String(service.orderId),
    ordernumber: order?.number ?? "",
    pid: service.pid,
    regdate: service.registered,
    name: item.name,
    translated_name: item.name,
    groupname: groupName(item),
    translated_groupname: groupName(item),
    domain: service.domain,
    dedicatedip: "",
    serverid: server.id,
    servername: server.name,
    serverip: server.ip,
    serverhostname: server.hostname,
    suspensionreason: service.suspensionReason,
    firstpaymentamount: decimal(service.firstPayment),
    recurringamount: decimal(service.recurring),
    paymentmethod: service.gateway,
    paymentmethodname: service.gateway,
    billingcycle: displayCycle(service.cycle),
    nextduedate: service.nextDue,
    status: service.status,
    username: service.username,
    password: service.password,
    subscriptionid: "",
    promoid: String(service.promotionId),
    overideautosuspend: "",
    overidesuspenduntil: NO_DAY,
    ns1: "",
    ns2: "",
    assignedips: "",
    notes: service.notes,
    diskusage: "0",
    disklimit: "0",
    bwusage: "0",
    bwlimit: "0",
    lastupdate: NO_TIME,
    customfields: new List(
      "customfield",
      item.fields.map(({ id, name }) => {
        return { id, name, translated_name: name, value: service.fields[id] ?? "" }
      }),
    ),
    configoptions: new List(
      "configoption",
      item.options.map((option) => optionRow(installation, option, service.options[option.id])),
    ),
  }
}

function optionRow({ quirks }: Installation, option: Option, chosen: Chosen | undefined): WhmcsResponse {
  const { choiceId = "", quantity = 0 } = chosen ?? {}
  const yesOrNo = quantity > 0 ? "Yes" : "No"
  const values: Record<Option["type"], Value> = {
    "1": option.choices.find(({ id }) => id === choiceId)?.name ?? "",
    "3": quirks.yesNo === "word" ? yesOrNo : String(quantity),
    "4": String(quantity),
  }
  return { id: option.id, option: option.name, type: KINDS[option.type], value: values[option.type] }
}
