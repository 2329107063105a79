import type { Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport as createStockGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { findProgram } from "@storefront/testkit";
import { createGrpcTransport, createTransport } from "../../src/index.ts";
import { createCurlTransport } from "./create-curl-transport.ts";
import type { EchoServer } from "./start-echo-server.ts";

/** One way to reach a server: which client, over which protocol, to which port. */
export interface Caller {
  name: string;
  open: (server: EchoServer) => Transport & { close?: () => Promise<void> };
  /** The program that the machine lacks for it; undefined if none. */
  missing?: string | undefined;
  /** HTTP/1.1 cannot respond while the request is still being sent. */
  bidirectional: boolean;
}

const curl = findProgram("curl");

/** Every pair of client and port that has to behave the same. */
export const callers: readonly Caller[] = [
  {
    name: "our transport → Connect port",
    open: ({ baseUrl }) => createTransport({ baseUrl }),
    bidirectional: false,
  },
  {
    name: "connect-node, binary → Connect port",
    open: ({ baseUrl }) => createConnectTransport({ baseUrl, httpVersion: "1.1" }),
    bidirectional: false,
  },
  {
    name: "connect-node, JSON → Connect port",
    open: ({ baseUrl }) =>
      createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
    bidirectional: false,
  },
  {
    name: "connect-node, GET → Connect port",
    open: ({ baseUrl }) =>
      createConnectTransport({ baseUrl, httpVersion: "1.1", useHttpGet: true }),
    bidirectional: false,
  },
  {
    name: "connect-node, gRPC-Web → Connect port",
    open: ({ baseUrl }) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
    bidirectional: false,
  },
  {
    name: "curl, JSON → Connect port",
    open: ({ baseUrl }) => createCurlTransport(curl ?? "curl", baseUrl),
    missing: curl === undefined ? "no curl: install it" : undefined,
    bidirectional: false,
  },
  {
    name: "our gRPC transport → gRPC port",
    open: ({ address }) => createGrpcTransport({ address }),
    bidirectional: true,
  },
  {
    name: "connect-node, gRPC → gRPC port",
    open: ({ grpcUrl }) => createStockGrpcTransport({ baseUrl: grpcUrl }),
    bidirectional: true,
  },
];
