import { type Cycle, cycles } from "~/domain/catalogue/billing-cycle"
import type { PriceTable } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"
import { type Item, type Option, PLANS_GROUP } from "./catalogue"
import { type Action, type Installation, page, prefixOf, SUCCESS, suffixOf } from "./installation"
import { decimal, text } from "./params"
import { List, type WhmcsResponse } from "./responses"

export const getProducts: Action = (installation, params) => {
  const [pid, gid, module] = ["pid", "gid", "module"].map((name) => text(params, name))
  const requests = (pid ?? "").split(",").map((id) => id.trim())
  const matching = installation.items
    .filter(({ id }) => !pid || requests.includes(id))
    .filter((item) => !gid || String(item.gid) === gid)
    .filter((item) => !module || item.module === module)
  const { rows, start } = page(params, matching)
  return {
    ...SUCCESS,
    totalresults: matching.length,
    startnumber: start,
    numreturned: rows.length,
    products: new List(
      "product",
      rows.map((item) => productRow(installation, item)),
    ),
  }
}

export const groupName = ({ gid }: Item) => (gid === PLANS_GROUP ? "Plans" : "Resellers")

function productRow({ currencies }: Installation, item: Item): WhmcsResponse {
  const fields = item.fields.filter(({ onOrderForm }) => onOrderForm)
  const pricing = (of: (code: Currency) => WhmcsResponse) =>
    Object.fromEntries(currencies.map(({ code }) => [code, of(code)]))
  return {
    pid: Number(item.id),
    gid: item.gid,
    type: "other",
    name: item.name,
    slug: item.name.toLowerCase().replaceAll(" ", "-"),
    "product-url": "",
    description: "",
    module: item.module,
    paytype: item.payType,
    allowqty: 0,
    quantity_available: 0,
    pricing: pricing((code) => ({
      prefix: prefixOf(code),
      suffix: suffixOf(code),
      ...columns(item.pricing, item.setupFees, code),
    })),
    customfields: new List(
      "customfield",
      fields.map(({ id, name }) => ({ id: Number(id), name, description: "", required: "" })),
    ),
    configoptions: new List(
      "configoption",
      item.options.map((option) => optionRow(option, pricing)),
    ),
  }
}

function optionRow(
  option: Option,
  pricing: (of: (code: Currency) => WhmcsResponse) => WhmcsResponse,
): WhmcsResponse {
  return {
    id: Number(option.id),
    name: option.name,
    type: option.type,
    minqty: 0,
    maxqty: option.type === "4" ? 10 : 0,
    options: new List(
      "option",
      option.choices.map(({ id, name, pricing: table }) => ({
        id: Number(id),
        name,
        rawName: null,
        recurring: 0,
        required: null,
        pricing: pricing((code) => columns(table, {}, code)),
      })),
    ),
  }
}

/** Price columns: setup fees first; a cycle that is not offered is -1.00. */
function columns(prices: PriceTable, fees: PriceTable, currency: Currency): WhmcsResponse {
  const fee = (cycle: Cycle) => [`${cycle[0]}setupfee`, decimal(fees[currency]?.[cycle] ?? 0)]
  const price = (cycle: Cycle) => [cycle, decimal(prices[currency]?.[cycle] ?? -100)]
  return Object.fromEntries([...cycles.map(fee), ...cycles.map(price)])
}
