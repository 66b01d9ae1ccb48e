// Package scheme knows the API versions that client-go knows, in the order in which client-go registers them, and none of the types.
package scheme

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// apiextensions.k8s.io is not among them: helm adds it by itself.
var groupVersions = []schema.GroupVersion{
	{Version: "v1"},
	{Group: "admissionregistration.k8s.io", Version: "v1"},
	{Group: "admissionregistration.k8s.io", Version: "v1alpha1"},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1"},
	{Group: "internal.apiserver.k8s.io", Version: "v1alpha1"},
	{Group: "apps", Version: "v1"},
	{Group: "apps", Version: "v1beta1"},
	{Group: "apps", Version: "v1beta2"},
	{Group: "authentication.k8s.io", Version: "v1"},
	{Group: "authentication.k8s.io", Version: "v1alpha1"},
	{Group: "authentication.k8s.io", Version: "v1beta1"},
	{Group: "authorization.k8s.io", Version: "v1"},
	{Group: "authorization.k8s.io", Version: "v1beta1"},
	{Group: "autoscaling", Version: "v1"},
	{Group: "autoscaling", Version: "v2"},
	{Group: "batch", Version: "v1"},
	{Group: "batch", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Version: "v1"},
	{Group: "certificates.k8s.io", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Version: "v1alpha1"},
	{Group: "coordination.k8s.io", Version: "v1alpha2"},
	{Group: "coordination.k8s.io", Version: "v1beta1"},
	{Group: "coordination.k8s.io", Version: "v1"},
	{Group: "discovery.k8s.io", Version: "v1"},
	{Group: "discovery.k8s.io", Version: "v1beta1"},
	{Group: "events.k8s.io", Version: "v1"},
	{Group: "events.k8s.io", Version: "v1beta1"},
	{Group: "extensions", Version: "v1beta1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta1"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta2"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta3"},
	{Group: "networking.k8s.io", Version: "v1"},
	{Group: "networking.k8s.io", Version: "v1beta1"},
	{Group: "node.k8s.io", Version: "v1"},
	{Group: "node.k8s.io", Version: "v1alpha1"},
	{Group: "node.k8s.io", Version: "v1beta1"},
	{Group: "policy", Version: "v1"},
	{Group: "policy", Version: "v1beta1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1beta1"},
	{Group: "rbac.authorization.k8s.io", Version: "v1alpha1"},
	{Group: "resource.k8s.io", Version: "v1"},
	{Group: "resource.k8s.io", Version: "v1beta2"},
	{Group: "resource.k8s.io", Version: "v1beta1"},
	{Group: "resource.k8s.io", Version: "v1alpha3"},
	{Group: "scheduling.k8s.io", Version: "v1alpha2"},
	{Group: "scheduling.k8s.io", Version: "v1beta1"},
	{Group: "scheduling.k8s.io", Version: "v1"},
	{Group: "storage.k8s.io", Version: "v1beta1"},
	{Group: "storage.k8s.io", Version: "v1"},
	{Group: "storage.k8s.io", Version: "v1alpha1"},
	{Group: "storagemigration.k8s.io", Version: "v1beta1"},
}

// Scheme is what helm asks for the default of .Capabilities.APIVersions.
var Scheme = makeScheme()

func makeScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, groupVersion := range groupVersions {
		metav1.AddToGroupVersion(scheme, groupVersion)
	}
	return scheme
}
