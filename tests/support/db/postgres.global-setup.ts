import type { TestProject } from "vitest/node"
import { type Cluster, startPostgres } from "./postgres"

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the run's PostgreSQL; suites make databases of their own in it. */
    postgres: string
  }
}

let cluster: Cluster

export async function setup(project: TestProject): Promise<void> {
  cluster = await startPostgres()
  project.provide("postgres", cluster.url)
}

export async function teardown(): Promise<void> {
  await cluster.stop()
}
