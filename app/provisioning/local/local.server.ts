import { readFile } from "node:fs/promises"
import type { Service } from "~/domain/service"
import { type Provisioner, ProvisioningError } from "../provisioner"
import demonstration from "./demonstration-channels.m3u?raw"

type LocalSettings = {
  /** Where players connect, with scheme. */
  streamUrl: string
  /** The operator's channel list; the demonstration's when none is given. */
  channelsFile: string | undefined
}

/** Lines for operators without a panel: the credentials of the order, a host, and a channel list from a file. */
export function localProvisioner({ streamUrl, channelsFile }: LocalSettings): Provisioner {
  return {
    create: async () => ({ host: streamUrl }),
    playlist: async (line) => fillIn(await channels(channelsFile), line),
  }
}

async function channels(file: string | undefined): Promise<string> {
  if (file === undefined) return demonstration
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    throw new ProvisioningError("the channel file cannot be read", { cause })
  }
}

/** Puts a line's access into a channel list: `{host}` as it is, user and password fit for an address. */
function fillIn(list: string, { host, username, password }: Service & { host: string }): string {
  return list
    .replaceAll("{host}", host)
    .replaceAll("{username}", encodeURIComponent(username))
    .replaceAll("{password}", encodeURIComponent(password))
}
