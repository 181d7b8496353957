/**
 * Catalogue of the legacy billing server in its own format: numbers as strings, single objects instead of lists with
 * one element.
 */
const prices = (monthly: string, annually: string, pounds = monthly) => {
  const never = { quarterly: "-1.00", semiannually: "-1.00", biennially: "-1.00", triennially: "-1.00" }
  const fees = { msetupfee: "0.00", asetupfee: "0.00" }
  return {
    EUR: { prefix: "€", suffix: " EUR", ...fees, monthly, annually, ...never },
    GBP: { prefix: "£", suffix: " GBP", ...fees, monthly: pounds, annually: "-1.00", ...never },
    XAU: { prefix: "", suffix: " XAU", ...fees, monthly: "0.01", annually: "-1.00", ...never },
  }
}

const customfields = {
  customfield: [
    { id: "11", name: "Username", required: "" },
    { id: "12", name: "Password", required: "" },
    { id: "13", name: "MAC Address", required: "" },
  ],
}

const option = (id: string, name: string, type: string, choice: string, price: string) => ({
  id,
  name,
  type,
  options: { option: { id: choice, name: "Yes", recurring: "0", pricing: prices(price, price) } },
})

/** The first option is a dropdown, the second a checkbox: their parameters differ. */
const configoptions = {
  configoption: [
    option("2", "Extra connection", "1", "7", "5.00"),
    option("4", "Proxy protection", "3", "9", "2.50"),
  ],
}

export const oldPlans = {
  result: "success",
  totalresults: "2",
  products: {
    product: {
      "0": {
        pid: "3",
        gid: "1",
        name: "1 month",
        paytype: "recurring",
        pricing: prices("12.50", "-1.00"),
        customfields,
        configoptions,
      },
      "1": {
        pid: 4,
        gid: "1",
        name: "12 months",
        paytype: "recurring",
        pricing: prices("-1.00", "90.00"),
        customfields,
        configoptions: "",
      },
    },
  },
}

export const oldResellerPlans = {
  result: "success",
  products: {
    product: {
      pid: "21",
      name: "Reseller 10",
      paytype: "onetime",
      pricing: prices("50.00", "-1.00"),
      customfields: "",
      configoptions: [],
    },
  },
}

export const oldPromotions: Readonly<Record<string, object>> = {
  WELCOME: {
    id: "1",
    code: "WELCOME",
    type: "Percentage",
    value: "10.00",
    appliesto: "3,4",
    startdate: "0000-00-00",
    expirationdate: "2027-01-31",
    maxuses: "0",
    uses: "5",
  },
  MINUS5: {
    id: "2",
    code: "MINUS5",
    type: "Fixed Amount",
    value: "5.00",
    appliesto: "3",
    startdate: "2026-01-01",
    expirationdate: "0000-00-00",
    maxuses: "20",
    uses: "20",
  },
  FREESETUP: {
    id: "3",
    code: "FREESETUP",
    type: "Free Setup",
    value: "0.00",
    appliesto: "3",
    startdate: "0000-00-00",
    expirationdate: "0000-00-00",
    maxuses: "0",
    uses: "0",
  },
}

/** Answers to codes that are refused, with and without a sentence for the buyer. */
export const oldRefusals: Readonly<Record<string, object>> = {
  "NEW-ONLY": { result: "error", message: " This code is <b>for new</b> customers:\n only. " },
  MAYBE: { result: "success", message: "Ask us for a code.", totalresults: "0", promotions: "" },
  BROKEN: { result: "error", message: "error" },
  LONG: { result: "error", message: "word ".repeat(100) },
  SILENT: { result: "error" },
}
