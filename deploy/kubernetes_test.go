package deploy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/palantir/go-githubapp/githubapp"
	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
)

// The fields of Kubernetes' objects that kubernetes.yml has (https://kubernetes.io/docs/reference/kubernetes-api/). Any other
// is an error here, so that a misspelt one is found; one that is needed is to be added.
type (
	object struct {
		APIVersion string            `yaml:"apiVersion"`
		Kind       string            `yaml:"kind"`
		Metadata   metadata          `yaml:"metadata"`
		Data       map[string]string `yaml:"data"`
		Spec       objectSpec        `yaml:"spec"`
	}
	metadata struct {
		Name   string            `yaml:"name"`
		Labels map[string]string `yaml:"labels"`
	}
	objectSpec struct {
		// Workloads.
		ServiceName          string         `yaml:"serviceName"`
		Replicas             int            `yaml:"replicas"`
		PodManagementPolicy  string         `yaml:"podManagementPolicy"`
		Selector             map[string]any `yaml:"selector"` // with matchLabels, but of a Service the labels themselves
		Strategy             strategy       `yaml:"strategy"`
		Template             podTemplate    `yaml:"template"`
		VolumeClaimTemplates []volumeClaim  `yaml:"volumeClaimTemplates"`
		// PodDisruptionBudget.
		MinAvailable   int `yaml:"minAvailable"`
		MaxUnavailable int `yaml:"maxUnavailable"`
		// Service.
		ClusterIP                string        `yaml:"clusterIP"`
		PublishNotReadyAddresses bool          `yaml:"publishNotReadyAddresses"`
		Ports                    []servicePort `yaml:"ports"`
		// Ingress.
		Rules []ingressRule `yaml:"rules"`
		TLS   []struct {
			Hosts      []string `yaml:"hosts"`
			SecretName string   `yaml:"secretName"`
		} `yaml:"tls"`
	}
	strategy struct {
		RollingUpdate struct {
			MaxUnavailable int `yaml:"maxUnavailable"`
			MaxSurge       int `yaml:"maxSurge"`
		} `yaml:"rollingUpdate"`
	}
	servicePort struct {
		Name       string `yaml:"name"`
		Port       int    `yaml:"port"`
		TargetPort string `yaml:"targetPort"`
	}
	ingressRule struct {
		Host string `yaml:"host"`
		HTTP struct {
			Paths []struct {
				Path     string `yaml:"path"`
				PathType string `yaml:"pathType"`
				Backend  struct {
					Service struct {
						Name string `yaml:"name"`
						Port struct {
							Name string `yaml:"name"`
						} `yaml:"port"`
					} `yaml:"service"`
				} `yaml:"backend"`
			} `yaml:"paths"`
		} `yaml:"http"`
	}
	volumeClaim struct {
		Metadata metadata `yaml:"metadata"`
		Spec     struct {
			AccessModes []string `yaml:"accessModes"`
			Resources   struct {
				Requests struct {
					Storage string `yaml:"storage"`
				} `yaml:"requests"`
			} `yaml:"resources"`
		} `yaml:"spec"`
	}
	podTemplate struct {
		Metadata metadata `yaml:"metadata"`
		Spec     podSpec  `yaml:"spec"`
	}
	podSpec struct {
		AutomountServiceAccountToken  *bool `yaml:"automountServiceAccountToken"`
		EnableServiceLinks            *bool `yaml:"enableServiceLinks"`
		TerminationGracePeriodSeconds int   `yaml:"terminationGracePeriodSeconds"`
		SecurityContext               struct {
			RunAsNonRoot   bool `yaml:"runAsNonRoot"`
			RunAsUser      int  `yaml:"runAsUser"`
			RunAsGroup     int  `yaml:"runAsGroup"`
			FSGroup        int  `yaml:"fsGroup"`
			SeccompProfile struct {
				Type string `yaml:"type"`
			} `yaml:"seccompProfile"`
		} `yaml:"securityContext"`
		TopologySpreadConstraints []struct {
			MaxSkew           int            `yaml:"maxSkew"`
			TopologyKey       string         `yaml:"topologyKey"`
			WhenUnsatisfiable string         `yaml:"whenUnsatisfiable"`
			LabelSelector     map[string]any `yaml:"labelSelector"`
		} `yaml:"topologySpreadConstraints"`
		Containers []container `yaml:"containers"`
		Volumes    []volume    `yaml:"volumes"`
	}
	container struct {
		Name      string        `yaml:"name"`
		Image     string        `yaml:"image"`
		Args      []string      `yaml:"args"`
		Env       []environment `yaml:"env"`
		Lifecycle struct {
			PreStop struct {
				Sleep struct {
					Seconds int `yaml:"seconds"`
				} `yaml:"sleep"`
			} `yaml:"preStop"`
		} `yaml:"lifecycle"`
		Ports []struct {
			Name          string `yaml:"name"`
			ContainerPort int    `yaml:"containerPort"`
		} `yaml:"ports"`
		StartupProbe   probe `yaml:"startupProbe"`
		ReadinessProbe probe `yaml:"readinessProbe"`
		LivenessProbe  probe `yaml:"livenessProbe"`
		Resources      struct {
			Requests map[string]string `yaml:"requests"`
			Limits   map[string]string `yaml:"limits"`
		} `yaml:"resources"`
		SecurityContext struct {
			AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
			ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
			Capabilities             struct {
				Drop []string `yaml:"drop"`
			} `yaml:"capabilities"`
		} `yaml:"securityContext"`
		VolumeMounts []struct {
			Name      string `yaml:"name"`
			MountPath string `yaml:"mountPath"`
			ReadOnly  bool   `yaml:"readOnly"`
		} `yaml:"volumeMounts"`
	}
	environment struct {
		Name      string `yaml:"name"`
		Value     string `yaml:"value"`
		ValueFrom struct {
			FieldRef struct {
				FieldPath string `yaml:"fieldPath"`
			} `yaml:"fieldRef"`
			SecretKeyRef struct {
				Name     string `yaml:"name"`
				Key      string `yaml:"key"`
				Optional bool   `yaml:"optional"`
			} `yaml:"secretKeyRef"`
		} `yaml:"valueFrom"`
	}
	probe struct {
		HTTPGet struct {
			Path string `yaml:"path"`
			Port string `yaml:"port"`
		} `yaml:"httpGet"`
		PeriodSeconds    int `yaml:"periodSeconds"`
		TimeoutSeconds   int `yaml:"timeoutSeconds"`
		FailureThreshold int `yaml:"failureThreshold"`
	}
	volume struct {
		Name      string `yaml:"name"`
		ConfigMap struct {
			Name string `yaml:"name"`
		} `yaml:"configMap"`
		Secret struct {
			SecretName  string `yaml:"secretName"`
			DefaultMode int    `yaml:"defaultMode"`
			Items       []struct {
				Key  string `yaml:"key"`
				Path string `yaml:"path"`
			} `yaml:"items"`
		} `yaml:"secret"`
	}
)

// manifest is kubernetes.yml: its objects by kind and name.
type manifest map[string]object

func readManifest(t *testing.T) manifest {
	t.Helper()
	text, err := os.ReadFile("kubernetes.yml")
	if err != nil {
		t.Fatal(err)
	}
	m := manifest{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	for {
		var o object
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			return m
		}
		if err != nil {
			t.Fatalf("kubernetes.yml: %v", err)
		}
		key := o.Kind + " " + o.Metadata.Name
		if _, twice := m[key]; twice {
			t.Errorf("%s is there twice", key)
		}
		m[key] = o
	}
}

func (m manifest) get(t *testing.T, key string) object {
	t.Helper()
	o, ok := m[key]
	if !ok {
		t.Fatalf("kubernetes.yml has no %s", key)
	}
	return o
}

func (c container) port(name string) int {
	for _, p := range c.Ports {
		if p.Name == name {
			return p.ContainerPort
		}
	}
	return 0
}

func (c container) mount(volume string) string {
	for _, m := range c.VolumeMounts {
		if m.Name == volume {
			return m.MountPath
		}
	}
	return ""
}

const colonys, nodes = "Deployment colony", "StatefulSet colony-nats"

func TestKubernetesHasEveryObject(t *testing.T) {
	t.Parallel()
	m := readManifest(t)
	kinds := map[string]string{
		"ConfigMap": "v1", "Service": "v1", "StatefulSet": "apps/v1", "Deployment": "apps/v1", "PodDisruptionBudget": "policy/v1", "Ingress": "networking.k8s.io/v1",
	}
	for key, o := range m {
		if kinds[o.Kind] != o.APIVersion {
			t.Errorf("%s has the version %q", key, o.APIVersion)
		}
	}
	want := []string{
		"ConfigMap colony-nats", colonys, "Ingress colony", "PodDisruptionBudget colony", "PodDisruptionBudget colony-nats",
		"Service colony", "Service colony-nats", nodes,
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(m))); diff != "" {
		t.Error(diff)
	}
}

func TestKubernetesPodsMayDoLittle(t *testing.T) {
	t.Parallel()
	m := readManifest(t)
	for _, key := range []string{colonys, nodes} {
		o := m.get(t, key)
		if o.Spec.Replicas != 3 {
			t.Errorf("%s has %d replicas", key, o.Spec.Replicas)
		}
		pod := o.Spec.Template.Spec
		security := pod.SecurityContext
		user := fmt.Sprintf("%d:%d", security.RunAsUser, security.RunAsGroup)
		if !security.RunAsNonRoot || user != userOfImage(t) || security.FSGroup != security.RunAsGroup || security.SeccompProfile.Type != "RuntimeDefault" {
			t.Errorf("%s: %+v; the image's user is %s", key, security, userOfImage(t))
		}
		if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
			t.Errorf("%s has a token for the cluster's API", key)
		}
		if pod.EnableServiceLinks == nil || *pod.EnableServiceLinks {
			t.Errorf("%s gets variables from every Service: COLONY_… among them", key)
		}
		if len(pod.TopologySpreadConstraints) != 1 {
			t.Errorf("%s: pods are not spread over machines", key)
		}
		for _, spread := range pod.TopologySpreadConstraints {
			isOfPods(t, key+": spread", spread.LabelSelector["matchLabels"], o)
		}
		isOfPods(t, key+": selector", o.Spec.Selector["matchLabels"], o)
		isOfPods(t, key+": budget", m.get(t, "PodDisruptionBudget "+o.Metadata.Name).Spec.Selector["matchLabels"], o)
		for _, c := range pod.Containers {
			isPinned(t, c.Image)
			s := c.SecurityContext
			if s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || !s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []string{"ALL"}) {
				t.Errorf("%s: %+v", c.Name, s)
			}
			if c.Resources.Requests["cpu"] == "" || c.Resources.Requests["memory"] == "" || c.Resources.Limits["memory"] == "" {
				t.Errorf("%s: resources %+v", c.Name, c.Resources)
			}
		}
	}
	if n := m.get(t, "PodDisruptionBudget colony-nats").Spec.MaxUnavailable; n != 1 {
		t.Errorf("%d of 3 nodes may go at once", n)
	}
	if n := m.get(t, "PodDisruptionBudget colony").Spec.MinAvailable; n < 1 {
		t.Error("every Colony may go at once")
	}
}

func isOfPods(t *testing.T, what string, labels any, o object) {
	t.Helper()
	want := map[string]any{}
	for name, value := range o.Spec.Template.Metadata.Labels {
		want[name] = value
	}
	if diff := cmp.Diff(any(want), labels); diff != "" {
		t.Errorf("%s is not of the pods (-pods +selector):\n%s", what, diff)
	}
}

func TestKubernetesColonyIsServed(t *testing.T) {
	t.Parallel()
	m := readManifest(t)
	o := m.get(t, colonys)
	pod := o.Spec.Template.Spec
	c := pod.Containers[0]
	_, port, _ := strings.Cut(config.Default().Server.Address, ":")
	if got := strconv.Itoa(c.port("http")); got != port {
		t.Errorf("port %s, but it listens on %s", got, port)
	}
	for _, p := range []struct {
		name, path string
		probe
	}{{"startup", "/healthz", c.StartupProbe}, {"readiness", "/readyz", c.ReadinessProbe}, {"liveness", "/healthz", c.LivenessProbe}} {
		if p.HTTPGet.Path != p.path || c.port(p.HTTPGet.Port) == 0 || p.PeriodSeconds <= 0 {
			t.Errorf("%s: %+v", p.name, p.probe)
		}
		isRoute(t, p.HTTPGet.Path)
	}
	startup := time.Duration(c.StartupProbe.PeriodSeconds*c.StartupProbe.FailureThreshold) * time.Second
	if startup <= time.Minute {
		t.Errorf("it is killed after %s, but waits a minute for its queue", startup)
	}
	pause := time.Duration(c.Lifecycle.PreStop.Sleep.Seconds) * time.Second
	if grace := time.Duration(pod.TerminationGracePeriodSeconds) * time.Second; grace <= pause+queue.Drain {
		t.Errorf("it is killed after %s, but may drain for %s after %s", grace, queue.Drain, pause)
	}
	service := m.get(t, "Service colony")
	isOfPods(t, "Service colony", any(service.Spec.Selector), o)
	if c.port(service.Spec.Ports[0].TargetPort) == 0 {
		t.Errorf("the Service leads to %+v", service.Spec.Ports)
	}
	rule := m.get(t, "Ingress colony").Spec.Rules[0]
	to := rule.HTTP.Paths[0]
	if len(rule.HTTP.Paths) != 1 || to.Path != githubapp.DefaultWebhookRoute || to.PathType != "Exact" ||
		to.Backend.Service.Name != "colony" || to.Backend.Service.Port.Name != service.Spec.Ports[0].Name {
		t.Errorf("the Ingress leads to %+v", rule.HTTP.Paths)
	}
}

func TestKubernetesColonyIsConfigured(t *testing.T) {
	t.Parallel()
	m := readManifest(t)
	pod := m.get(t, colonys).Spec.Template.Spec
	c := pod.Containers[0]
	set := map[string]string{}
	for _, e := range c.Env {
		set[e.Name] = e.Value
		if ref := e.ValueFrom.SecretKeyRef; ref.Name != "" {
			set[e.Name] = "Secret " + ref.Name
		}
	}
	areVariables(t, slices.Collect(maps.Keys(set)))
	if set["COLONY_GITHUB_APP_INTEGRATION_ID"] != "Secret colony" {
		t.Errorf("the App's id comes from %q", set["COLONY_GITHUB_APP_INTEGRATION_ID"])
	}
	var files []string
	for _, v := range pod.Volumes {
		if v.Secret.DefaultMode != 0o440 {
			t.Errorf("the secrets have the mode %o", v.Secret.DefaultMode)
		}
		for _, item := range v.Secret.Items {
			files = append(files, path.Join(c.mount(v.Name), item.Path))
		}
	}
	for _, name := range []string{"COLONY_GITHUB_APP_PRIVATE_KEY_FILE", "COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE"} {
		if !slices.Contains(files, set[name]) {
			t.Errorf("%s is %q; there are %v", name, set[name], files)
		}
	}
	nats := m.get(t, nodes)
	var want []string
	for n := range nats.Spec.Replicas {
		want = append(want, fmt.Sprintf("nats://%s-%d.%s:%d", nats.Metadata.Name, n, nats.Spec.ServiceName, nats.Spec.Template.Spec.Containers[0].port("client")))
	}
	if diff := cmp.Diff(strings.Join(want, ","), set["COLONY_QUEUE_URL"]); diff != "" {
		t.Error(diff)
	}
}

func TestKubernetesNodesKeepWhatTheyAcknowledge(t *testing.T) {
	o := readManifest(t).get(t, nodes)
	m := readManifest(t)
	c := o.Spec.Template.Spec.Containers[0]
	t.Setenv("POD_NAME", "colony-nats-0")
	node := readNodeConfig(t, m.get(t, "ConfigMap colony-nats").Data["nats.conf"])
	isDurable(t, node, c.Image)
	var routes []string
	for n := range o.Spec.Replicas {
		routes = append(routes, fmt.Sprintf("nats://%s-%d.%s:%d", o.Metadata.Name, n, o.Spec.ServiceName, c.port("cluster")))
	}
	haveRoutes(t, node, routes)
	if node.Port != c.port("client") || node.Cluster.Port != c.port("cluster") || node.HTTPPort != c.port("monitor") {
		t.Errorf("it listens on %d, %d and %d; the ports are %+v", node.Port, node.Cluster.Port, node.HTTPPort, c.Ports)
	}
	claim := o.Spec.VolumeClaimTemplates[0]
	if c.mount(claim.Metadata.Name) != node.StoreDir {
		t.Errorf("files are written to %s; the volume is at %s", node.StoreDir, c.mount(claim.Metadata.Name))
	}
	gigabytes, err := strconv.Atoi(strings.TrimSuffix(claim.Spec.Resources.Requests.Storage, "Gi"))
	if err != nil || int64(gigabytes)<<30 <= node.JetStreamMaxStore {
		t.Errorf("the volume has %s, the node takes %d bytes: %v", claim.Spec.Resources.Requests.Storage, node.JetStreamMaxStore, err)
	}
	for _, p := range []probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
		to, err := url.Parse(p.HTTPGet.Path)
		if err != nil || to.Path != "/healthz" || p.HTTPGet.Port != "monitor" {
			t.Errorf("probe %+v: %v", p, err)
		}
	}
	service := m.get(t, "Service "+o.Spec.ServiceName)
	isOfPods(t, "Service "+o.Spec.ServiceName, any(service.Spec.Selector), o)
	if service.Spec.ClusterIP != "None" || !service.Spec.PublishNotReadyAddresses {
		t.Error("the nodes cannot find each other before they are ready")
	}
}
