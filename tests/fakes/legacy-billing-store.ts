/** State of the legacy billing server. Ids are counted up and serialized as strings. */
export type OldService = {
  readonly id: string
  readonly orderId: string
  readonly clientId: string
  readonly pid: string
  status: string
  username: string
  password: string
  notes: string
  mac: string
  extra: number
}

export type OldInvoice = {
  readonly id: string
  readonly orderId: string | null
  readonly serviceId: string
  readonly amount: string
  readonly currency: string
  readonly adds: number
  isPaid: boolean
}

export class LegacyStore {
  readonly clients = new Map<string, { id: string; email: string; password: string }>()
  readonly services = new Map<string, OldService>()
  readonly invoices = new Map<string, OldInvoice>()
  /** Products of resellers that are in no list any more. */
  readonly retiredResellerProducts = new Set<string>()
  readonly tokens = new Map<string, string>()
  #last = 100

  newId(): string {
    return String(++this.#last)
  }

  clientOf(email: string) {
    return [...this.clients.values()].find((it) => it.email === email.toLowerCase())
  }

  addClient(email: string, password: string) {
    const client = { id: this.newId(), email: email.toLowerCase(), password }
    this.clients.set(client.id, client)
    return client
  }

  tokenFor(clientId: string): string {
    const token = `token-${this.newId()}`
    this.tokens.set(token, clientId)
    return token
  }

  servicesOf(clientId: string): OldService[] {
    return [...this.services.values()].filter((it) => it.clientId === clientId)
  }

  ofOrder(orderId: string): OldService | undefined {
    return [...this.services.values()].find((it) => it.orderId === orderId)
  }

  /** Simulates a gateway's callback or a payment marked by staff: the service becomes active. */
  pay(invoiceId: string): void {
    const invoice = this.invoices.get(invoiceId)
    const service = invoice && this.services.get(invoice.serviceId)
    if (!invoice || !service) throw new Error(`No invoice ${invoiceId}`)
    invoice.isPaid = true
    service.status = "Active"
    service.extra += invoice.adds
  }
}
