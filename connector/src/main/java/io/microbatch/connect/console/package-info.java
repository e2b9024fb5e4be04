/**
 * The console: figures and advice for every source task of a Connect cluster, over the worker's REST interface. It
 * reads MBeans and configurations and changes nothing. It knows no other package of the pipeline: what it shows of this
 * connector it reads like the figures of any other one.
 */
package io.microbatch.connect.console;
