// Written by `npm run generate` from the documents in openapi/. Do not edit.

export interface paths {
    "/v1/receiver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the receiver listens, and what its endpoints do. */
        get: operations["getReceiver"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an endpoint answers. */
        get: operations["getScript"];
        /**
         * Plays another script, from its beginning.
         * @description Requests in progress keep the old script. An invalid script changes nothing.
         */
        put: operations["putScript"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What came, in order of arrival.
         * @description The receiver keeps the latest thousand.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request. */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{number}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a request again, to another address.
         * @description The same bytes and headers, signed anew where the endpoint has a secret that signs. This machine sends it, so it needs the token.
         */
        post: operations["replayRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/news": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens, as it happens.
         * @description A stream of server-sent events. The first message comes at once, with the latest 200 requests; then at most twenty a second while something happens. The `data` of each is JSON as the schema says. No message grows with what came.
         */
        get: operations["streamNews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Waits for a number of requests.
         * @description Earlier arrivals count. It takes nothing away, so that two may wait for the same.
         */
        get: operations["waitForRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forgets what came, counts from 1 again, and plays every script from its beginning. */
        post: operations["reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What came, as an HTTP archive (HAR 1.2). */
        get: operations["getArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document. */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Receiver: {
            /** @description Where senders reach it. */
            url: string;
            /** @description The certificate of the authority that senders have to trust, in PEM; with TLS. */
            ca?: string;
            /** @description Those with a path of their own, then the one for every other path. */
            endpoints: components["schemas"]["Endpoint"][];
            /** @description How many requests came since the last reset. */
            received: number;
        };
        Endpoint: {
            /** @description Left out by the one for every other path. */
            path?: string;
            /** @description The short form, as the command line takes it. */
            script: string;
            steps: components["schemas"]["Script"];
            /** @description What the next request gets, as long as the script stays: first for events of each type that the script names, then for all others. */
            next: components["schemas"]["Next"][];
            /** @description Whether it has a shared secret. */
            checksSignatures: boolean;
            /** @description Whether replays are signed anew: its secret is no public key, and it has one. */
            canSign: boolean;
            /** @description The application that answers where the script says 200. */
            forward?: string;
        };
        Failure: {
            /** @description What was wrong, what was seen, and the way out. */
            error: string;
        };
        /** @description HAR 1.2, a format of its own. */
        Archive: {
            log: {
                /** @constant */
                version: "1.2";
                creator: {
                    [key: string]: unknown;
                };
                entries: {
                    [key: string]: unknown;
                }[];
            } & {
                [key: string]: unknown;
            };
        };
        /** @description A request that was read to its end. Its body is in `body` when it is UTF-8, else in `bodyBase64`. */
        Request: {
            /** @description Its place in the order of arrival. */
            number: number;
            /**
             * Format: date-time
             * @description When its last byte was read.
             */
            at: string;
            method: string;
            /** @description Path and query, as on the wire. */
            path: string;
            /** @description The endpoint that accepted it. Absent for requests to any other path. */
            endpoint?: string;
            headers: components["schemas"]["Header"][];
            /** @description How long the body is. */
            bytes: number;
            body?: string;
            bodyBase64?: string;
            /**
             * @description Only the beginning of the body is here, because `bodyLimit` says so.
             * @constant
             */
            isCut?: true;
            /** @description The body as an object. Absent when it is not one. */
            event?: {
                [key: string]: unknown;
            };
            /** @description How often its `messageId` had come to this endpoint, this time included. */
            attempt: number;
            signature: components["schemas"]["Signature"];
            answer: components["schemas"]["Answer"];
            forwarded?: components["schemas"]["Forwarded"];
        };
        /** @description A request without its headers and its body. Long texts are cut. */
        Summary: {
            number: number;
            /** Format: date-time */
            at: string;
            method: string;
            path: string;
            endpoint?: string;
            bytes: number;
            attempt: number;
            /** @description The `type` of the event. */
            type?: string;
            /** @description The `event` of a track call. */
            event?: string;
            signature: components["schemas"]["Signature"];
            answer: components["schemas"]["Answer"];
            forwarded?: components["schemas"]["Forwarded"];
        };
        /** @description What is new since the message before. */
        News: {
            /** @description What was told before is over: true of the first message, and after a reset. */
            isFresh: boolean;
            receiver: components["schemas"]["Receiver"];
            /** @description Those that came or changed, in order of arrival; of more than 200 the latest. */
            requests: components["schemas"]["Summary"][];
            /** @description What happened beside requests that were read; of more than 20 the latest. */
            incidents: components["schemas"]["Incident"][];
        };
        Incident: {
            /** Format: date-time */
            at: string;
            /** @description What happened, for people. */
            text: string;
        };
        ReplayOrder: {
            /** @description An http or https URL. One with a path gets the request there; one without gets it at the path that was asked. */
            to: string;
        };
        Replayed: {
            to: string;
            /** @description Whether it was signed anew; else it went as it came. */
            isSigned: boolean;
            /** @description What was answered. Absent when nothing was. */
            status?: number;
            /** @description Why nothing was answered. */
            failure?: string;
            /** @description How long it took. */
            ms: number;
        };
        RequestList: {
            requests: components["schemas"]["Request"][];
            /** @description How many came in all since the last reset. */
            received: number;
        };
        ScriptChange: {
            /** @description The short form, such as `503x2,delay:6s,200`, or the data form. */
            script: string | components["schemas"]["Script"];
        };
        /** @description What an endpoint does, request by request: each takes the first step that is for it and has times left. The last step repeats. */
        Script: components["schemas"]["Step"][];
        /** @description What is done for one request, or for `times` of them; `{}` is a plain 200. Not every word goes with every other: what is unsupported is answered with 400. */
        Step: {
            /** @description Only for events of these types. */
            on?: components["schemas"]["EventType"][];
            /** @description The probability that this step is used. */
            chance?: string;
            /** @description Other chances and delays for this step. */
            seed?: number;
            /** @description How many requests it answers; default 1. */
            times?: number | "always";
            delay?: components["schemas"]["Delay"];
            status?: number;
            /** @description The `Location` of a redirect; `self` is the receiver itself. */
            to?: string;
            headers?: {
                [key: string]: string;
            };
            retryAfter?: components["schemas"]["Duration"];
            retryAfterDate?: components["schemas"]["Duration"];
            body?: string;
            /** @description A body of this many bytes, or one that never ends. */
            size?: components["schemas"]["Size"] | "endless";
            /** @constant */
            gzip?: true;
            headerSize?: components["schemas"]["Size"];
            /** @description Informational answers before the real one. */
            interim?: {
                status: number;
                count: number;
            };
            drip?: components["schemas"]["Drip"];
            dripHeaders?: components["schemas"]["Drip"];
            silence?: components["schemas"]["Stage"];
            reset?: components["schemas"]["Stage"];
            close?: components["schemas"]["Stage"];
            /** @enum {string} */
            malformed?: "status-line" | "http-0.9" | "header" | "length-over" | "length-under" | "length-twice" | "chunk" | "garbage";
            /**
             * @description Only in-process back-ends can play it; a receiver on sockets refuses it.
             * @enum {string}
             */
            unreachable?: "dns_error" | "connect_refused" | "connect_timeout";
        };
        /** @description A number and a unit: `250ms`, `6s`, `4h`. */
        Duration: string;
        /** @enum {string} */
        EventType: "page" | "screen" | "identify" | "track" | "alias" | "group" | "delete";
        /** @description Fixed, uniform between two durations, or lognormal. */
        Delay: components["schemas"]["Duration"] | {
            uniform: components["schemas"]["Duration"][];
        } | {
            lognormal: {
                median: components["schemas"]["Duration"];
                sigma: number;
            };
        };
        /** @description A number and a unit; 1 KB is 1024 bytes. */
        Size: string;
        /** @description So many bytes every so often. */
        Drip: {
            bytes: number;
            every: components["schemas"]["Duration"];
        };
        /**
         * @description How far an exchange gets.
         * @enum {string}
         */
        Stage: "connect" | "upload" | "request" | "headers" | "body" | "answer";
        Answer: {
            /** @description The status, or what was done instead, such as `reset:request`. */
            said: string;
            delayMs: number;
            /** @description The step of the script, from 1. Absent when no step applied. */
            step?: number;
            /** @description The step in words. */
            reason: string;
        };
        Next: {
            type?: components["schemas"]["EventType"];
            answer: components["schemas"]["Answer"];
        };
        Header: {
            name: string;
            value: string;
        };
        Signature: {
            /** @enum {string} */
            verdict: "valid" | "invalid" | "missing" | "not expected";
            /** @description The header of an invalid signature, or of a missing one. */
            header?: string;
            /** @description The beginning of the digest that was expected; of an invalid one. */
            expected?: string;
            /** @description The beginning of the digest that came; of an invalid one. */
            seen?: string;
            /** @description What the signature doctor says of an invalid one, or of a request that is signed in another way. */
            diagnosis?: string;
            /** @description Whether one came though none is expected. */
            signed?: boolean;
        };
        /** @description What the application behind the receiver answered. Absent until then. */
        Forwarded: {
            /** @description As the sender got it; 502 when the application gave none. */
            status: number;
            /** @description Why there was no answer, or not all of it. */
            failure?: string;
            afterMs: number;
            /** @description How long its body was. */
            bytes: number;
        };
    };
    responses: {
        /** @description The request is not as this document says; the text names the place. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request is for another host, from another web page, or without the token that it needs. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body is longer than 1 MB. */
        TooLong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is no such endpoint, request or address. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description The path of an endpoint, such as `/hooks/a`. For scripts, none means the one for every other path. */
        endpoint: string;
        /** @description Only events of this type. */
        type: string;
        /** @description Only track calls of this event. */
        event: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receiver as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receiver"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
        };
    };
    getScript: {
        parameters: {
            query?: {
                /** @description The path of an endpoint, such as `/hooks/a`. For scripts, none means the one for every other path. */
                endpoint?: components["parameters"]["endpoint"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its script, in both forms. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    putScript: {
        parameters: {
            query?: {
                /** @description The path of an endpoint, such as `/hooks/a`. For scripts, none means the one for every other path. */
                endpoint?: components["parameters"]["endpoint"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScriptChange"];
            };
        };
        responses: {
            /** @description The endpoint with its new script. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLong"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description The path of an endpoint, such as `/hooks/a`. For scripts, none means the one for every other path. */
                endpoint?: components["parameters"]["endpoint"];
                /** @description Only events of this type. */
                type?: components["parameters"]["type"];
                /** @description Only track calls of this event. */
                event?: components["parameters"]["event"];
                /** @description Only those with a higher number; the last number of an answer leads to the next. */
                after?: number;
                /** @description The maximum number of requests. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those that match. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    getRequest: {
        parameters: {
            query?: {
                /** @description At most so many bytes of the body; all of it without. */
                bodyLimit?: number;
            };
            header?: never;
            path: {
                /** @description Its place in the order of arrival, from 1. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request, byte for byte. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
        };
    };
    replayRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its place in the order of arrival, from 1. */
                number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayOrder"];
            };
        };
        responses: {
            /** @description What became of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLong"];
        };
    };
    streamNews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages, until one side ends the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["News"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
        };
    };
    waitForRequests: {
        parameters: {
            query?: {
                /** @description The path of an endpoint, such as `/hooks/a`. For scripts, none means the one for every other path. */
                endpoint?: components["parameters"]["endpoint"];
                /** @description Only events of this type. */
                type?: components["parameters"]["type"];
                /** @description Only track calls of this event. */
                event?: components["parameters"]["event"];
                /** @description How many must match. */
                count?: number;
                /** @description For how long to wait; at most ten minutes. */
                within?: components["schemas"]["Duration"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first matching requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
            404: components["responses"]["NotFound"];
            /** @description The time is over; the text tells what did come. */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receiver, as if it had just begun; scripts that were changed stay changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receiver"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
        };
    };
    getArchive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An archive that browsers and proxies read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Archive"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document that the receiver keeps to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Refused"];
        };
    };
}
